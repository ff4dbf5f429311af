/*
 * The smallest program: each node prints its number and ends with status 0.
 */
#include "console.h"
#include "ni.h"

int main(void)
{
    printf("hello from node %u of %u\n", ni_node(), ni_nodes());
    return 0;
}
