package gatebook.command.call.agent;

import org.jspecify.annotations.Nullable;

/**
 * What a caller was told instead of an agent's ids, because its message was held when the agent had
 * none; each is absent where the caller was told the agent's own.
 */
public record ToldIds(@Nullable String taskId, @Nullable String contextId) {
  public static final ToldIds NONE = new ToldIds(null, null);
}
