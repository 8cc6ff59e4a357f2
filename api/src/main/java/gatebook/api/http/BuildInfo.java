package gatebook.api.http;

/**
 * The build that runs, and since when.
 *
 * @param startedNanos {@link System#nanoTime} at the start: the wall clock may be set back
 */
record BuildInfo(String version, long startedNanos) {}
