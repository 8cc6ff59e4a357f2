package gatebook.events.journal.witness;

/** Why a witness did not cosign a checkpoint. */
public enum WitnessFailure {
  NO_ANSWER("no-answer", "look whether the witness runs, and whether its address is right"),
  REDIRECT("redirect", "write the address to which it redirects into the policy"),
  MALFORMED("malformed", "it takes the request for none: report it, with both versions"),
  NOT_TRUSTED("not-trusted", "give the witness the verifier key of this log, under its origin"),
  UNKNOWN_LOG("unknown-log", "ask the operator of the witness to add this log"),
  TOO_LARGE("too-large", "the witness takes only smaller requests: ask its operator"),
  TOO_MANY("too-many-requests", "ask the witness less often, with a longer interval"),
  BROKEN("broken", "the witness has a problem of its own; it is asked again"),
  WRONG_ANSWER("wrong-answer", "the witness does not keep to its protocol: ask its operator"),
  WRONG_COSIGNATURE(
      "wrong-cosignature", "its key is not the one of the policy, or it does not sign rightly"),
  WRONG_TIME("wrong-time", "the clock of the witness, or that of this node, is wrong"),
  AHEAD(
      "ahead",
      "the witness has a larger checkpoint that this log did not sign: do not trust the witness"),
  INCONSISTENT("inconsistent", "the witness saw another history of this log: look at what it has"),
  ROLLED_BACK("rolled-back", "this log was put back to an older state: see OPERATING.md"),
  NOT_KEPT("not-kept", "what was cosigned cannot be stored or read in the data directory");

  private final String word;
  private final String action;

  WitnessFailure(String word, String action) {
    this.word = word;
    this.action = action;
  }

  /** The failure in metrics and answers. */
  public String word() {
    return word;
  }

  /** Whether what was signed may be wrong, and not only the asking. */
  public boolean isAlarm() {
    return this == INCONSISTENT || this == ROLLED_BACK || this == AHEAD;
  }

  /** What to do. */
  public String action() {
    return action;
  }
}
