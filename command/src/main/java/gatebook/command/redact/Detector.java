package gatebook.command.redact;

/**
 * Finds one sort of things in a text, in time linear in its length, and leaves markers alone: what
 * it finds in a scrubbed text it would replace by what is there.
 */
@FunctionalInterface
interface Detector {
  void find(String text, ScrubFindings scrubFindings);
}
