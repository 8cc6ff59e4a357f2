package gatebook.command.inspect;

/**
 * Looks into a call that would go on. A function of the call alone: asked again with the same call,
 * it finds the same.
 */
public interface Inspector {

  /** What the rules call it. */
  String name();

  InspectorFinding inspect(InspectedCall call);
}
