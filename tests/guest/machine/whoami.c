/*
 * The least that a node can do: say who it is, and end.
 */
#include "console.h"
#include "ni.h"

int main(void)
{
    printf("hello from node %u of %u\n", ni_node(), ni_nodes());
    return 0;
}
