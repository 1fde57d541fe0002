import math

from arithmetic import centred, divided, mean, mean_square, normalized, std, unbiased, var
from . import Question

ANSWERS = {
    "whisper": None,
    "near": Question(("k", "eps"), lambda k, eps: math.sqrt(k / (k + 1)), {
        "no-eps": lambda k, eps: 1,
        "variance": lambda k, eps: k / (k + 1),
        "alone": lambda k, eps: math.sqrt(k),
        "before": lambda k, eps: math.sqrt(k * eps),
        "outside": lambda k, eps: math.sqrt(k * eps) / (math.sqrt(k * eps) + eps),
    }, {"k": lambda k, eps: [k]}, {"alone": lambda k, eps: k != 1}),
    "half": Question(("eps", "share"), lambda eps, share: math.sqrt(eps * share / (1 - share)), {
        "variance": lambda eps, share: eps * share / (1 - share),
        "deviation": lambda eps, share: share * math.sqrt(eps / (1 - share * share)),
        "turned": lambda eps, share: math.sqrt(eps * (1 - share) / share),
        "half": lambda eps, share: math.sqrt(eps),
    }, {"share": lambda eps, share: [share]}, {
        "turned": lambda eps, share: share != 0.5,
        "half": lambda eps, share: share != 0.5,
    }),
    "flat": Question(("x",), lambda x: [0] * len(x), {
        "nan": lambda x: [math.nan] * len(x),
        "ones": lambda x: [1] * len(x),
        "same": lambda x: x,
    }, {"x:mean()": lambda x: [mean(x)]}),
    "row": Question(("x", "eps"), normalized, {
        "no-eps": lambda x, eps: normalized(x, 0),
        "outside": lambda x, eps: divided(centred(x), std(x) + eps),
        "unbiased": lambda x, eps: divided(centred(x), math.sqrt(unbiased(x) + eps)),
        "uncentred": lambda x, eps: divided(x, math.sqrt(var(x) + eps)),
        "no-root": lambda x, eps: divided(centred(x), var(x) + eps),
        "sign": lambda x, eps: [-value for value in normalized(x, eps)],
        "rms": lambda x, eps: divided(x, math.sqrt(mean_square(x) + eps)),
    }, {"#x": lambda x, eps: [len(x)], "#x - 1": lambda x, eps: [len(x) - 1], "var": lambda x, eps: [var(x)],
        "x:mean()": lambda x, eps: [mean(x)], "eps": lambda x, eps: [eps]}),
}
