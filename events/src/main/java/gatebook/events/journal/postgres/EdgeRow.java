package gatebook.events.journal.postgres;

import gatebook.events.journal.tree.RightEdge;

/**
 * The row of the right edge in one of its versions.
 *
 * @param version the transaction that wrote the row: another one after every change, even one that
 *     stores the same values again
 * @param place where the version is in the table
 */
record EdgeRow(RightEdge edge, String version, String place) {}
