package gatebook.command.inspect;

/** What an inspector says of a call. */
public sealed interface InspectorFinding {

  /** Nothing speaks against it. */
  record Clean() implements InspectorFinding {}

  /** The call must not go on; the reason names no content of it, since it is kept and logged. */
  record Refused(String reason) implements InspectorFinding {}
}
