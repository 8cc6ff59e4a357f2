package gatebook.command.inspect;

/** What an inspector says of a call. */
public sealed interface Finding {

  /** Nothing speaks against it. */
  record Clean() implements Finding {}

  /** The call must not go on; the reason names no content of it, since it is kept and logged. */
  record Refused(String reason) implements Finding {}
}
