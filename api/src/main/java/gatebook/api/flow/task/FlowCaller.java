package gatebook.api.flow.task;

import org.jspecify.annotations.Nullable;

/**
 * The caller of a request.
 *
 * @param userId the only user whom it may name in its tasks; absent when it may name any
 */
public record FlowCaller(@Nullable String userId) {

  /** A caller with a name of its own. */
  public static FlowCaller named(String principal) {
    return new FlowCaller(principal);
  }

  /** The caller without a name, whose tasks may have any user. */
  public static FlowCaller anonymous() {
    return new FlowCaller(null);
  }

  public boolean mayName(String user) {
    return userId == null || userId.equals(user);
  }
}
