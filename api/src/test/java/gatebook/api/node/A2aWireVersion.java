package gatebook.api.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.UUID;

/** The versions of A2A as they are on the wire: paths, names and words, written out. */
enum A2aWireVersion {
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

  final String segment;
  final String text;
  final String send;
  final String stream;
  final String get;
  final String cancel;
  final String subscribe;

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
  String path() {
    return "/a2a/" + segment;
  }

  /** The path of an agent upstream. */
  String path(String agent) {
    return "/a2a/%s/%s".formatted(agent, segment);
  }

  String state(String word) {
    return this == V03 ? word : "TASK_STATE_" + word.toUpperCase(Locale.ROOT);
  }

  /** The task in a result of sending a message, or in the first item of a stream. */
  JsonNode task(JsonNode result) {
    return this == V03 ? result : result.path("task");
  }

  /** The params of a message with one text; {@code member} is another member of the message. */
  String textMessage(String text, String member) {
    return this == V03
        ? """
        {"message":{"kind":"message","role":"user","messageId":"%s"%s,\
        "parts":[{"kind":"text","text":"%s"}]}}\
        """
            .formatted(UUID.randomUUID(), member, text)
        : """
        {"message":{"role":"ROLE_USER","messageId":"%s"%s,"parts":[{"text":"%s"}]}}\
        """
            .formatted(UUID.randomUUID(), member, text);
  }

  /** The params of a message that calls a skill with one data part. */
  String skillMessage(String skill, String data) {
    return "{%s}".formatted(skillMember(skill, data));
  }

  /** The params of a message that calls a skill, and whether its sender waits. */
  String skillMessage(String skill, String data, boolean waits) {
    return this == V03
        ? "{%s,\"configuration\":{\"blocking\":%b}}".formatted(skillMember(skill, data), waits)
        : "{%s,\"configuration\":{\"returnImmediately\":%b}}"
            .formatted(skillMember(skill, data), !waits);
  }

  private String skillMember(String skill, String data) {
    return this == V03
        ? """
        "message":{"kind":"message","role":"user","messageId":"%s","metadata":{"skillId":"%s"},\
        "parts":[{"kind":"data","data":%s}]}\
        """
            .formatted(UUID.randomUUID(), skill, data)
        : """
        "message":{"role":"ROLE_USER","messageId":"%s","metadata":{"skillId":"%s"},\
        "parts":[{"data":%s}]}\
        """
            .formatted(UUID.randomUUID(), skill, data);
  }
}
