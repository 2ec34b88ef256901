#include "csockets.h"
