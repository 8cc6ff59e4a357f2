package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.MemberSplice;
import java.util.List;

/** The mode of sending a message: whether the agent answers at once. */
public enum SendMode {
  /** The answer comes when the task ended, or waits for its caller. */
  BLOCKING,

  /** The answer comes as soon as the task is there. */
  NON_BLOCKING;

  /** The params with this mode in their configuration. */
  String applyTo(String params, A2aVersion version) {
    return switch (version) {
      case V0_3 -> with(params, "blocking", this == BLOCKING);
      case V1_0 -> with(params, "returnImmediately", this == NON_BLOCKING);
    };
  }

  private static String with(String params, String member, boolean value) {
    return MemberSplice.with(params, List.of("configuration", member), String.valueOf(value));
  }
}
