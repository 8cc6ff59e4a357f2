package gatebook.api.node.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.UUID;

/** The versions of A2A as they are on the wire: paths, names and words, written out. */
public enum A2aWireVersion {
  V03(
      "v0.3",
      "0.3",
      "message/send",
      "message/stream",
      "tasks/get",
      "tasks/cancel",
      "tasks/resubscribe"),
  V1(
      "v1",
      "1.0",
      "SendMessage",
      "SendStreamingMessage",
      "GetTask",
      "CancelTask",
      "SubscribeToTask");

  public final String segment;
  public final String text;
  public final String send;
  public final String stream;
  public final String get;
  public final String cancel;
  public final String subscribe;

  A2aWireVersion(
      String segment,
      String text,
      String send,
      String stream,
      String get,
      String cancel,
      String subscribe) {
    this.segment = segment;
    this.text = text;
    this.send = send;
    this.stream = stream;
    this.get = get;
    this.cancel = cancel;
    this.subscribe = subscribe;
  }

  /** The path of the built-in agent. */
  public String path() {
    return "/a2a/" + segment;
  }

  /** The path of an agent upstream. */
  public String path(String agent) {
    return "/a2a/%s/%s".formatted(agent, segment);
  }

  public String state(String word) {
    return this == V03 ? word : "TASK_STATE_" + word.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** The task in a result of sending a message, or in the first item of a stream. */
  public JsonNode task(JsonNode result) {
    return this == V03 ? result : result.path("task");
  }

  /** The params of a new message with one text; {@code member} is another member of the message. */
  public String textMessage(String text, String member) {
    return textMessage(newId(), text, member);
  }

  public String textMessage(String messageId, String text, String member) {
    return this == V03
        ? """
        {"message":{"kind":"message","role":"user","messageId":"%s"%s,\
        "parts":[{"kind":"text","text":"%s"}]}}\
        """
            .formatted(messageId, member, text)
        : """
        {"message":{"role":"ROLE_USER","messageId":"%s"%s,"parts":[{"text":"%s"}]}}\
        """
            .formatted(messageId, member, text);
  }

  /** The params of a new message that calls a skill with one data part. */
  public String skillMessage(String skill, String data) {
    return "{%s}".formatted(skillMember(newId(), skill, data));
  }

  /** The params of a new message that calls a skill, and whether its sender waits. */
  public String skillMessage(String skill, String data, boolean waits) {
    return skillMessage(newId(), skill, data, waits);
  }

  public String skillMessage(String messageId, String skill, String data, boolean waits) {
    return configured("{%s}".formatted(skillMember(messageId, skill, data)), waits);
  }

  /** The params of a message, and whether its sender waits. */
  public String configured(String params, boolean waits) {
    String configuration =
        this == V03
            ? "\"blocking\":%b".formatted(waits)
            : "\"returnImmediately\":%b".formatted(!waits);
    return params.replaceFirst("^\\{", "{\"configuration\":{%s},".formatted(configuration));
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }

  private String skillMember(String messageId, String skill, String data) {
    return this == V03
        ? """
        "message":{"kind":"message","role":"user","messageId":"%s","metadata":{"skillId":"%s"},\
        "parts":[{"kind":"data","data":%s}]}\
        """
            .formatted(messageId, skill, data)
        : """
        "message":{"role":"ROLE_USER","messageId":"%s","metadata":{"skillId":"%s"},\
        "parts":[{"data":%s}]}\
        """
            .formatted(messageId, skill, data);
  }

  /** What an item of a stream says, in words that are the same in both versions. */
  public String said(JsonNode result) {
    JsonNode item = this == V03 ? result : result.iterator().next();
    String kind =
        switch (this == V03 ? result.path("kind").asText() : result.fieldNames().next()) {
          case "status-update", "statusUpdate" -> "status";
          case "artifact-update", "artifactUpdate" -> "artifact";
          case String other -> other;
        };
    return kind.equals("artifact")
        ? "artifact " + content(item.at("/artifact/parts/0"))
        : "%s %s%s"
            .formatted(
                kind,
                item.at("/status/state")
                    .asText()
                    .replace("TASK_STATE_", "")
                    .toLowerCase(Locale.ROOT)
                    .replace('_', '-'),
                item.path("final").asBoolean() ? " final" : "");
  }

  private static String content(JsonNode part) {
    return part.has("text") ? part.path("text").asText() : part.path("data").toString();
  }

  /** The last item of a stream; only version 0.3 says that it is. */
  public String last(String state) {
    return "status " + state + (this == V03 ? " final" : "");
  }
}
