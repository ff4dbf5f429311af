#include "trace/trace-hw_fugu.h"
