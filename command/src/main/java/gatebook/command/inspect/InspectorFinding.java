package gatebook.command.inspect;

/** The finding of an inspector about a call. */
public sealed interface InspectorFinding {

  /** Nothing was found. */
  record Clean() implements InspectorFinding {}

  /**
   * The call must not go on; the reason quotes none of its content, since it is stored and logged.
   */
  record Refused(String reason) implements InspectorFinding {}
}
