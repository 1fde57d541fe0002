#include "tensor/tensor.h"

const char *tensor_processor_path(void)
{
    return "plain C";
}
