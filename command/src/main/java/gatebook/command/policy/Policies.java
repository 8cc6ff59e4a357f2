package gatebook.command.policy;

/** Cedar policies, read once and good for any number of questions. */
public final class Policies {

  /** None at all: nothing is permitted. */
  public static final Policies NONE = new Policies();

  private Policies() {}
}
