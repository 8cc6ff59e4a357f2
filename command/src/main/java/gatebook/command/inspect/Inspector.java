package gatebook.command.inspect;

/**
 * An inspector checks a call that the gates let pass. It is a pure function of the call: the same
 * call gives the same finding.
 */
public interface Inspector {

  /** The name by which rules enable it. */
  String name();

  InspectorFinding inspect(InspectedCall call);
}
