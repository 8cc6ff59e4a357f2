package gatebook.api.http;

/**
 * Which build runs, and since when.
 *
 * @param startedNanos {@link System#nanoTime} at the start: the wall clock may be set back
 */
record BuildInfo(String version, long startedNanos) {}
