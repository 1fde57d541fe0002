/* Lists that grow: what is in them stays, and the room follows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/list.h"

static void what_is_in_it_stays(void **state)
{
    (void)state;
    size_t *list = NULL, room = 0;
    for (size_t count = 0; count < 1000; count++) {
        list = list_room(list, count, &room, sizeof *list);
        assert_non_null(list);
        assert_true(room > count);
        list[count] = count;
    }
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    free(list);
}

static void it_does_not_move_while_there_is_room(void **state)
{
    (void)state;
    size_t room = 0;
    char *list = list_room(NULL, 0, &room, 1), *then = list;
    for (size_t count = 1; count < room; count++)
        assert_ptr_equal(then = list_room(then, count, &room, 1), list);
    free(list);
}

static void a_list_too_large_for_memory_is_left_as_it_is(void **state)
{
    (void)state;
    size_t room = SIZE_MAX / 2 + 1;
    char list[1];
    assert_null(list_room(list, room, &room, 16));
    assert_int_equal(room, SIZE_MAX / 2 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_it_stays),
        cmocka_unit_test(it_does_not_move_while_there_is_room),
        cmocka_unit_test(a_list_too_large_for_memory_is_left_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
