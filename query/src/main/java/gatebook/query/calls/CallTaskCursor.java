package gatebook.query.calls;

/**
 * The cursor of a page of tasks: the last task of the page before.
 *
 * @param changedNanos when that task entered its state, since the epoch (1970)
 * @param position of the event that created it
 */
public record CallTaskCursor(long changedNanos, long position) {}
