package gatebook.api.a2a.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that a client sends to an agent, the same in every version.
 *
 * @param parts at least one
 * @param contextId the conversation that it belongs to; absent when it begins one
 * @param taskId the task that it goes on with; absent when it asks for a new one
 * @param skillId the skill that its metadata names; absent when they name none
 * @param metadata the text of an object; absent where there was none
 */
public record A2aMessage(
    String messageId,
    Role role,
    List<Part> parts,
    @Nullable String contextId,
    @Nullable String taskId,
    List<String> referenceTaskIds,
    List<String> extensions,
    @Nullable String skillId,
    @Nullable String metadata) {
  public A2aMessage {
    parts = List.copyOf(parts);
    referenceTaskIds = List.copyOf(referenceTaskIds);
    extensions = List.copyOf(extensions);
  }

  /** The sender of a message. */
  public enum Role {
    USER,
    AGENT
  }

  /**
   * A part of a message.
   *
   * @param metadata the text of an object; absent where there was none
   */
  public record Part(
      Content content,
      @Nullable String filename,
      @Nullable String mediaType,
      @Nullable String metadata) {}

  /** The content of a part. */
  public sealed interface Content {
    record Text(String text) implements Content {}

    /** The bytes of a file, in Base64 as they came. */
    record Raw(String base64) implements Content {}

    /** A file that is elsewhere. */
    record Url(String url) implements Content {}

    /** Any JSON value, an object in version 0.3. */
    record Data(String json) implements Content {}
  }
}
