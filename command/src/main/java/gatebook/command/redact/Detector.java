package gatebook.command.redact;

/**
 * A detector for one kind of secret. It takes time linear in the length of the text and is
 * idempotent: anything it finds in a scrubbed text would be replaced by the marker already there.
 */
@FunctionalInterface
interface Detector {
  void find(String text, ScrubFindings scrubFindings);
}
