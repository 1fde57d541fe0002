#include "tensor/kernel.h"

const char *tensor_processor_path(void)
{
    return kernel_path()->name;
}
