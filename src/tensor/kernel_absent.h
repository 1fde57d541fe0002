/* A path that no processor of this kind has. */
static bool runs_here(void)
{
    return false;
}
