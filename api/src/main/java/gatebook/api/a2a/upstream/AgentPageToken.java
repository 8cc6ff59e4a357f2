package gatebook.api.a2a.upstream;

import gatebook.query.calls.CallTaskCursor;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The token of a page of an agent's tasks, among which held messages are: it is the agent's own
 * where no held message is left.
 *
 * @param hasHeld whether there may be more held messages
 * @param heldAfter where those begin; empty for the first
 * @param hasAgent whether the agent may have more tasks
 * @param agentToken where those begin; empty for the first
 */
record AgentPageToken(
    boolean hasHeld, Optional<CallTaskCursor> heldAfter, boolean hasAgent, String agentToken) {
  static final AgentPageToken FIRST = new AgentPageToken(true, Optional.empty(), true, "");

  private static final String PREFIX = "held:";
  private static final Pattern FORM =
      Pattern.compile(PREFIX + "(none|first|[0-9a-f]{32}):(none|from):(.*)", Pattern.DOTALL);

  /** The token that a caller sent; absent for the first page. */
  static AgentPageToken of(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return FIRST;
    }
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? new AgentPageToken(
            !matcher.group(1).equals("none"),
            AgentTaskLists.cursor(matcher.group(1)),
            matcher.group(2).equals("from"),
            matcher.group(3))
        : new AgentPageToken(false, Optional.empty(), true, text);
  }

  /** The token that the caller gets; empty when there are no more pages. */
  String text() {
    boolean isAgents = !agentToken.isEmpty() && !agentToken.startsWith(PREFIX);
    if (!hasHeld && (isAgents || !hasAgent)) {
      return hasAgent ? agentToken : "";
    }
    return "%s%s:%s:%s"
        .formatted(
            PREFIX,
            hasHeld ? heldAfter.map(AgentTaskLists::token).orElse("first") : "none",
            hasAgent ? "from" : "none",
            agentToken);
  }
}
