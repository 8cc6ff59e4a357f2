package gatebook.api.flow.task;

import org.jspecify.annotations.Nullable;

/** The two sets of shapes in which clients call the task-flow protocol. */
public enum FlowProfile {
  /** The strict shapes of the protocol's documents; ids are UUIDs of version 4. */
  PROTOCOL("1.0"),
  /** The shapes of existing clients; ids are any text, and tasks are referred to by id or name. */
  CLIENT("0.18");

  private final String version;

  FlowProfile(String version) {
    this.version = version;
  }

  /** The dialect version that a call in this profile is recorded with. */
  public String version() {
    return version;
  }

  /** The profile of a dialect version; that of the protocol when the version is not known. */
  public static FlowProfile of(@Nullable String version) {
    return CLIENT.version.equals(version) ? CLIENT : PROTOCOL;
  }
}
