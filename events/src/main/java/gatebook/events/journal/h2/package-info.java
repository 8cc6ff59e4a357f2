/**
 * The embedded H2 database of a journal, which segments take over: its write-ahead log, and file
 * systems that make H2 safe against interrupts and loss of power.
 */
@NullMarked
package gatebook.events.journal.h2;

import org.jspecify.annotations.NullMarked;
