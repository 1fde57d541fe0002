#include "ui/view.h"

enum {
    LEAVES_MAX = 48,
    SIDE_LEAST = 20 /* columns for a view beside another */,
    SIDE_GAP = 3,
    SIDES_MAX = 7,
    NESTING_MAX = 8
};

/* What stands below each other: a part, or a row of views. */
struct leaf {
    const struct part *part;
    const struct view *row;
    struct extent extent;
    int rows;
};

struct leaves {
    struct leaf item[LEAVES_MAX];
    int count, lost;
};

static struct extent leaves_extent(const struct grid *grid, const struct view *view, int columns, int depth);

static struct extent part_extent(const struct grid *grid, const struct part *part, int columns)
{
    switch (part->kind) {
    case PART_TABLE:
        return table_extent(&part->as.table);
    case PART_BARS:
        return bars_extent(grid, &part->as.bars, columns);
    case PART_PLOT:
        return plot_extent();
    case PART_MAP:
        return map_extent(grid, &part->as.map, columns);
    case PART_STACK:
        return stack_extent(&part->as.stack);
    case PART_LEAK:
        return leak_extent(grid, &part->as.leak, columns);
    case PART_CODE:
        return code_extent(&part->as.code);
    }
    return (struct extent){0, 0, 0, 0};
}

/* What is left of a row's columns once its gaps are made. */
static int side_room(const struct view *view, int columns)
{
    return columns - SIDE_GAP * ((int)view->child_count - 1);
}

static int part_columns(const struct grid *grid, const struct part *part)
{
    switch (part->kind) {
    case PART_TABLE:
        return table_columns(grid, &part->as.table);
    case PART_MAP:
        return map_columns(grid, &part->as.map);
    case PART_STACK:
        return stack_columns(grid, &part->as.stack);
    case PART_LEAK:
        return leak_columns(grid, &part->as.leak);
    case PART_CODE:
        return code_columns(grid, &part->as.code);
    case PART_BARS:
    case PART_PLOT:
        break;
    }
    return 0;
}

/* The columns that a view takes up; 0: it takes what it gets. */
static int natural_columns(const struct grid *grid, const struct view *view)
{
    int widest = 0;
    for (size_t i = 0; i < view->part_count && view->child_count == 0; i++) {
        int width = part_columns(grid, &view->parts[i]);
        if (width == 0)
            return 0;
        widest = width > widest ? width : widest;
    }
    return widest > 0 && widest < SIDE_LEAST ? SIDE_LEAST : widest;
}

/* Alike, but a view that needs less leaves the rest to the others. */
static void side_columns(const struct grid *grid, const struct view *view, int columns, int out[SIDES_MAX])
{
    int room = side_room(view, columns), sharing = (int)view->child_count;
    for (size_t i = 0; i < view->child_count; i++) {
        out[i] = natural_columns(grid, &view->children[i]);
        if (out[i] == 0 || out[i] >= side_room(view, columns) / (int)view->child_count) {
            out[i] = 0;
        } else {
            room -= out[i];
            sharing--;
        }
    }
    for (size_t i = 0; i < view->child_count; i++)
        if (out[i] == 0)
            out[i] = room / sharing;
}

static struct extent row_extent(const struct grid *grid, const struct view *view, int columns, int depth)
{
    struct extent all = {0, 0, 0, 0};
    int sides[SIDES_MAX];
    side_columns(grid, view, columns, sides);
    for (size_t i = 0; i < view->child_count; i++) {
        struct extent one = leaves_extent(grid, &view->children[i], sides[i], depth + 1);
        all.least = one.least > all.least ? one.least : all.least;
        all.all = one.all > all.all ? one.all : all.all;
        all.want = one.want > all.want ? one.want : all.want;
        all.most = one.most > all.most ? one.most : all.most;
    }
    return all;
}

static void add_leaf(struct leaves *leaves, const struct leaf *leaf)
{
    if (leaves->count < LEAVES_MAX)
        leaves->item[leaves->count++] = *leaf;
    else
        leaves->lost++;
}

/* Not so narrow that columns or layers would have to be left out. */
static bool sides_suffice(const struct grid *grid, const struct view *view, int columns)
{
    int sides[SIDES_MAX];
    side_columns(grid, view, columns, sides);
    bool suffice = true;
    for (size_t i = 0; i < view->child_count; i++) {
        for (size_t p = 0; p < view->children[i].part_count; p++) {
            const struct part *part = &view->children[i].parts[p];
            if (part->kind == PART_MAP)
                suffice &= map_fits(grid, &part->as.map, sides[i]);
            else if (part->kind == PART_STACK)
                suffice &= stack_fits(grid, &part->as.stack, sides[i]);
        }
    }
    return suffice;
}

static bool stands_beside(const struct grid *grid, const struct view *view, int columns)
{
    return view->kind == VIEW_ROW && view->child_count > 1 && view->child_count <= SIDES_MAX &&
           side_room(view, columns) / (int)view->child_count >= SIDE_LEAST && sides_suffice(grid, view, columns);
}

/* Parts and columns become one pile; a row stays a row where its views have the room to stand side by side.
 */
static void collect(struct leaves *leaves, const struct grid *grid, const struct view *view, int columns,
                    int depth)
{
    if (depth > NESTING_MAX)
        return;
    bool beside = stands_beside(grid, view, columns);
    for (size_t i = 0; i < view->part_count; i++) {
        struct leaf leaf = {.part = &view->parts[i], .extent = part_extent(grid, &view->parts[i], columns)};
        add_leaf(leaves, &leaf);
    }
    if (beside) {
        struct leaf leaf = {.row = view, .extent = row_extent(grid, view, columns, depth)};
        add_leaf(leaves, &leaf);
        return;
    }
    for (size_t i = 0; i < view->child_count; i++)
        collect(leaves, grid, &view->children[i], columns, depth + 1);
}

static struct extent leaves_extent(const struct grid *grid, const struct view *view, int columns, int depth)
{
    struct leaves leaves = {.count = 0};
    collect(&leaves, grid, view, columns, depth);
    struct extent all = {0, 0, 0, 0};
    for (int i = 0; i < leaves.count; i++) {
        const struct extent *one = &leaves.item[i].extent;
        if (i == 0)
            all.least = one->least;
        all.all += i ? one->all : one->want;
        all.want += one->want + (i > 0);
        all.most += one->most + (i > 0);
    }
    return all;
}

struct extent view_extent(const struct grid *grid, const struct view *view, int columns)
{
    return leaves_extent(grid, view, columns, 0);
}

/* Gives each leaf its rows, from the first on; returns how many leaves are kept. `gap`: a blank row between
 * them. */
static int share_rows(struct leaves *leaves, int rows, bool *gap)
{
    int kept = 0, left = rows;
    for (; kept < leaves->count; kept++) {
        struct leaf *leaf = &leaves->item[kept];
        leaf->rows = kept ? leaf->extent.least : leaf->extent.want < rows ? leaf->extent.want : rows;
        if (leaf->rows > left)
            break;
        left -= leaf->rows;
    }
    for (int i = 0; i < kept; i++) {
        struct leaf *leaf = &leaves->item[i];
        int more = leaf->extent.want - leaf->rows < left ? leaf->extent.want - leaf->rows : left;
        leaf->rows += more > 0 ? more : 0;
        left -= more > 0 ? more : 0;
    }
    *gap = kept > 1 && left >= kept - 1;
    left -= *gap ? kept - 1 : 0;
    for (int i = 0; i < kept; i++) {
        struct leaf *leaf = &leaves->item[i];
        int more = leaf->extent.most - leaf->rows < left ? leaf->extent.most - leaf->rows : left;
        leaf->rows += more > 0 ? more : 0;
        left -= more > 0 ? more : 0;
    }
    return kept;
}

int view_fill(const struct grid *grid, const struct view *view, int columns, int rows)
{
    struct leaves leaves = {.count = 0};
    collect(&leaves, grid, view, columns, 0);
    bool gap;
    int kept = share_rows(&leaves, rows, &gap), filled = gap ? kept - 1 : 0;
    for (int i = 0; i < kept; i++)
        filled += leaves.item[i].rows;
    return filled;
}

static int draw_leaves(struct grid *grid, const struct view *view, struct box box, bool focused, int depth);

static void draw_part(struct grid *grid, const struct part *part, struct box box, bool focused)
{
    switch (part->kind) {
    case PART_TABLE:
        table_draw(grid, &part->as.table, box, focused);
        break;
    case PART_BARS:
        bars_draw(grid, &part->as.bars, box, focused);
        break;
    case PART_PLOT:
        plot_draw(grid, &part->as.plot, box);
        break;
    case PART_MAP:
        map_draw(grid, &part->as.map, box);
        break;
    case PART_STACK:
        stack_draw(grid, &part->as.stack, box);
        break;
    case PART_LEAK:
        leak_draw(grid, &part->as.leak, box);
        break;
    case PART_CODE:
        code_draw(grid, &part->as.code, box);
        break;
    }
}

static int draw_row(struct grid *grid, const struct view *view, struct box box, bool focused, int depth)
{
    int sides[SIDES_MAX], column = box.column, lost = 0;
    side_columns(grid, view, box.columns, sides);
    for (size_t i = 0; i < view->child_count; i++) {
        struct box side = {column, box.row, sides[i], box.rows};
        lost += draw_leaves(grid, &view->children[i], side, focused, depth + 1);
        column += sides[i] + SIDE_GAP;
    }
    return lost;
}

static int draw_leaves(struct grid *grid, const struct view *view, struct box box, bool focused, int depth)
{
    struct leaves leaves = {.count = 0};
    collect(&leaves, grid, view, box.columns, depth);
    bool gap;
    int kept = share_rows(&leaves, box.rows, &gap), lost = leaves.lost + leaves.count - kept;
    for (int i = 0; i < kept; i++) {
        const struct leaf *leaf = &leaves.item[i];
        box.rows = leaf->rows;
        if (leaf->row)
            lost += draw_row(grid, leaf->row, box, focused, depth);
        else
            draw_part(grid, leaf->part, box, focused);
        box.row += leaf->rows + gap;
    }
    return lost;
}

int view_draw(struct grid *grid, const struct view *view, struct box box, bool focused)
{
    if (box.columns < 1 || box.rows < 1)
        return 0;
    return draw_leaves(grid, view, box, focused, 0);
}

static bool part_reaches(const struct grid *grid, const struct part *part, int columns)
{
    switch (part->kind) {
    case PART_TABLE:
        return table_reaches(grid, &part->as.table, columns);
    case PART_MAP:
        return map_reaches(grid, &part->as.map, columns);
    case PART_STACK:
        return part->as.stack.cursor >= 0 || stack_fits(grid, &part->as.stack, columns);
    case PART_CODE:
        return code_columns(grid, &part->as.code) <= columns + 1;
    case PART_LEAK:
        return leak_columns(grid, &part->as.leak) <= columns;
    case PART_BARS:
    case PART_PLOT:
        break;
    }
    return true;
}

static const struct view *cut_below(const struct grid *grid, const struct view *view, int columns, int depth)
{
    const struct view *cut = NULL;
    int sides[SIDES_MAX];
    if (depth > NESTING_MAX)
        return view;
    bool beside = stands_beside(grid, view, columns);
    if (beside)
        side_columns(grid, view, columns, sides);
    for (size_t i = 0; i < view->part_count && !cut; i++)
        cut = part_reaches(grid, &view->parts[i], columns) ? NULL : view;
    for (size_t i = 0; i < view->child_count && !cut; i++)
        cut = cut_below(grid, &view->children[i], beside ? sides[i] : columns, depth + 1);
    return cut;
}

const struct view *view_cut(const struct grid *grid, const struct view *view, int columns)
{
    return cut_below(grid, view, columns, 0);
}

static int layers_below(const struct grid *grid, const struct view *view, int columns, int depth)
{
    int layers = 0, sides[SIDES_MAX];
    if (depth > NESTING_MAX)
        return 0;
    bool beside = stands_beside(grid, view, columns);
    if (beside)
        side_columns(grid, view, columns, sides);
    for (size_t i = 0; i < view->part_count; i++)
        if (view->parts[i].kind == PART_STACK)
            layers += stack_shown(grid, &view->parts[i].as.stack, columns);
    for (size_t i = 0; i < view->child_count; i++)
        layers += layers_below(grid, &view->children[i], beside ? sides[i] : columns, depth + 1);
    return layers;
}

int view_layers(const struct grid *grid, const struct view *view, int columns)
{
    return layers_below(grid, view, columns, 0);
}

uint32_t view_stages(const struct view *view)
{
    uint32_t stages = view ? view->stages : 0;
    for (size_t i = 0; view && stages == 0 && i < view->child_count; i++)
        stages = view_stages(&view->children[i]);
    return stages;
}
