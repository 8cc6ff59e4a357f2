package gatebook.api.a2a.message;

import gatebook.api.a2a.message.A2aMessage.Content;
import gatebook.api.a2a.message.A2aMessage.Part;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool as the parts of an artifact: its structured content, or else each of its
 * contents, or else the whole result.
 */
record ToolResult(String json, ObjectMembers members) {

  static ToolResult of(String json) {
    return new ToolResult(json, ObjectMembers.of(json));
  }

  /** At least one. */
  List<Part> parts() {
    Optional<String> structured =
        members.json("structuredContent").filter(content -> !content.equals("null"));
    if (structured.isPresent()) {
      return List.of(data(structured.get()));
    }
    List<Part> contents = contents().stream().map(ToolResult::part).toList();
    return contents.isEmpty() ? List.of(data(json)) : contents;
  }

  /** The first text that is not blank. */
  Optional<String> text() {
    return contents().stream()
        .flatMap(content -> ObjectMembers.of(content).text("text").stream())
        .filter(text -> !text.isBlank())
        .findFirst();
  }

  private List<String> contents() {
    return members.json("content").flatMap(ArrayElements::of).orElse(List.of());
  }

  private static Part part(String content) {
    ObjectMembers members = ObjectMembers.of(content);
    String mediaType = members.text("mimeType").orElse(null);
    return switch (members.text("type").orElse("")) {
      case "text" ->
          members
              .text("text")
              .map(text -> part(new Content.Text(text), null))
              .orElseGet(() -> data(content));
      case "image", "audio" ->
          members
              .text("data")
              .map(base64 -> part(new Content.Raw(base64), mediaType))
              .orElseGet(() -> data(content));
      case "resource_link" ->
          members
              .text("uri")
              .map(uri -> part(new Content.Url(uri), mediaType))
              .orElseGet(() -> data(content));
      default -> data(content);
    };
  }

  private static Part data(String json) {
    return part(new Content.Data(json), null);
  }

  private static Part part(Content content, @Nullable String mediaType) {
    return new Part(content, null, mediaType, null);
  }
}
