/* Writes the first inputs for fuzz_wire into a folder: a scene and a request with something in every field, and empty ones. */
#include <stdio.h>

#include "scene/wire.h"
#include "wire_help.h"

static int write_seed(const char *folder, const char *name, char decoder, const struct strbuf *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    fputc(decoder, file);
    fwrite(bytes->text, 1, bytes->length, file);
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    struct error err;
    struct strbuf bytes[9] = { { 0 } };
    struct scene *scene = help_scene(), *program = help_program(), *order = help_order(), *several = help_several(), *scratch = help_scratch(), *translated = help_translated();
    struct request request = help_request(), empty = { .course = "", .file = "", .source = "" };
    if (argc != 2 || wire_encode_scene(&bytes[0], scene, &err) < 0 ||
        wire_encode_scene(&bytes[1], &(struct scene){ .error = "no" }, &err) < 0 ||
        wire_encode_request(&bytes[2], &request, &err) < 0 || wire_encode_request(&bytes[3], &empty, &err) < 0 ||
        wire_encode_scene(&bytes[4], program, &err) < 0 || wire_encode_scene(&bytes[5], order, &err) < 0 ||
        wire_encode_scene(&bytes[6], several, &err) < 0 || wire_encode_scene(&bytes[7], scratch, &err) < 0 ||
        wire_encode_scene(&bytes[8], translated, &err) < 0)
        return 1;
    int failed = write_seed(argv[1], "scene", 1, &bytes[0]) | write_seed(argv[1], "scene-error", 1, &bytes[1]) |
                 write_seed(argv[1], "request", 0, &bytes[2]) | write_seed(argv[1], "request-empty", 0, &bytes[3]) |
                 write_seed(argv[1], "scene-program", 1, &bytes[4]) | write_seed(argv[1], "scene-order", 1, &bytes[5]) |
                 write_seed(argv[1], "scene-several", 1, &bytes[6]) | write_seed(argv[1], "scene-scratch", 1, &bytes[7]) |
                 write_seed(argv[1], "scene-translation", 1, &bytes[8]);
    scene_free(scene);
    scene_free(program);
    scene_free(order);
    scene_free(several);
    scene_free(scratch);
    scene_free(translated);
    for (int i = 0; i < 9; i++)
        strbuf_free(&bytes[i]);
    return failed;
}
