package gatebook.api.a2a.message;

import static gatebook.api.rpc.RequestMember.optional;
import static gatebook.api.rpc.RequestMember.required;

import gatebook.api.a2a.message.A2aMessage.Role;
import gatebook.api.a2a.message.A2aRequest.ListTasks;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.MemberType.Any;
import gatebook.api.rpc.MemberType.Array;
import gatebook.api.rpc.MemberType.Flag;
import gatebook.api.rpc.MemberType.Members;
import gatebook.api.rpc.MemberType.OrEmpty;
import gatebook.api.rpc.MemberType.Some;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import gatebook.api.rpc.TimeText;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The declared params of the methods of A2A, in both versions. */
public final class A2aParams {
  public static final int ID_CHARS_MAX = 256;
  private static final int URL_CHARS_MAX = 8_192;

  private static final MemberType ID = OrEmpty.atMost(ID_CHARS_MAX);
  private static final MemberType SHORT = OrEmpty.atMost(1_024);
  private static final MemberType LONG = OrEmpty.atMost(URL_CHARS_MAX);
  private static final MemberType TEXTS = Array.of(Text.ANY, "an array of strings");
  private static final MemberType COUNT = Whole.between(0, Integer.MAX_VALUE);
  private static final MemberType FLAG = new Flag();
  private static final MemberType TIME =
      Some.texts(
          Text.ANY, "Invalid time format", "ISO 8601", text -> TimeText.parse(text).isPresent());

  /** Standard or for URLs, with or without padding. */
  private static final MemberType BASE64 =
      Text.matching(Pattern.compile("^[A-Za-z0-9+/_-]*+={0,2}$"), "Base64");

  private static final MemberType PART_URL = Text.between(1, URL_CHARS_MAX);

  /** The state of a task that is none. */
  private static final String UNSPECIFIED = "TASK_STATE_UNSPECIFIED";

  static final RequestMember METADATA = optional("metadata", Members.ANY, "Any metadata.");
  private static final RequestMember TENANT =
      optional("tenant", Text.ANY, "The agent, unless the path names it.");

  static final RequestMember TASK = required("id", ID, "The task.");
  static final RequestMember TASK_ID = optional("taskId", ID, "The task.");
  static final RequestMember CONTEXT_ID = optional("contextId", ID, "The conversation.");
  static final RequestMember HISTORY_LENGTH =
      optional("historyLength", COUNT, "The most messages of the task's history; all by default.");

  static final RequestMember KIND_V03 =
      optional("kind", Word.of(List.of("data", "file", "text")), "The kind of the part.");
  static final RequestMember TEXT = optional("text", Text.ANY, "The text of the part.");
  static final RequestMember DATA_V03 = optional("data", Members.ANY, "The data of the part.");
  static final RequestMember DATA = optional("data", new Any(), "The data of the part.");
  static final RequestMember BYTES_V03 = optional("bytes", BASE64, "The content of the file.");
  static final RequestMember RAW = optional("raw", BASE64, "The content of a file.");
  static final RequestMember URI_V03 = optional("uri", PART_URL, "Where the file is.");
  static final RequestMember URL = optional("url", PART_URL, "Where a file is.");
  static final RequestMember NAME_V03 = optional("name", SHORT, "The name of the file.");
  static final RequestMember FILENAME = optional("filename", SHORT, "The name of the file.");
  static final RequestMember MIME_TYPE_V03 = optional("mimeType", SHORT, "The file's media type.");
  static final RequestMember MEDIA_TYPE = optional("mediaType", SHORT, "The media type.");
  static final RequestMember FILE_V03 =
      optional(
          "file",
          members(BYTES_V03, URI_V03, NAME_V03, MIME_TYPE_V03),
          "The file of the part, which has either bytes or uri.");

  /** Metadata are free: their members are named as their sender says, and in no other way. */
  static final RequestMember SKILL_ID =
      optional("skillId", SHORT, "The skill that is wanted.").or("skillId");

  static final RequestMember MESSAGE_METADATA =
      optional("metadata", members(SKILL_ID), "Any metadata.");
  static final RequestMember MESSAGE_ID = required("messageId", ID, "The id of the message.");
  static final RequestMember REFERENCES =
      optional("referenceTaskIds", TEXTS, "Other tasks that the message is about.");
  static final RequestMember EXTENSIONS =
      optional("extensions", TEXTS, "The URIs of the extensions that the message uses.");

  static final RequestMember OUTPUT_MODES =
      optional(
          "acceptedOutputModes", TEXTS, "The accepted media types; any type where there is none.");
  static final RequestMember BLOCKING_V03 =
      optional("blocking", FLAG, "Whether the response waits for the end of the task.")
          .byDefault(true);
  static final RequestMember RETURN_IMMEDIATELY =
      optional("returnImmediately", FLAG, "Whether the response waits for nothing.")
          .byDefault(false);

  static final RequestMember PUSH_ID = optional("id", ID, "The id of the configuration.");
  static final RequestMember PUSH_ID_V03 =
      optional("pushNotificationConfigId", ID, "The id of the configuration.");
  static final RequestMember PUSH_URL = required("url", LONG, "The address that is notified.");
  static final RequestMember TOKEN = optional("token", SHORT, "It is sent with notifications.");
  static final RequestMember SCHEME = required("scheme", SHORT, "The scheme of authentication.");
  static final RequestMember SCHEMES_V03 =
      required("schemes", TEXTS, "The schemes of authentication.");
  static final RequestMember CREDENTIALS = optional("credentials", LONG, "The credentials.");

  static final RequestMember STATUS_AFTER =
      optional("statusTimestampAfter", TIME, "When the tasks got their status at the earliest.");
  static final RequestMember PAGE_SIZE =
      optional("pageSize", Whole.between(1, ListTasks.PAGE_SIZE_MAX), "The most tasks of a page.")
          .byDefault(ListTasks.PAGE_SIZE_DEFAULT);
  static final RequestMember PUSH_PAGE_SIZE =
      optional("pageSize", COUNT, "The most configurations of a page.");
  static final RequestMember PAGE_TOKEN =
      optional("pageToken", SHORT, "The token of the page; the first page by default.");
  static final RequestMember INCLUDE_ARTIFACTS =
      optional("includeArtifacts", FLAG, "Whether the tasks are listed with their artifacts.")
          .byDefault(false);

  private static final Map<String, String> SNAKE_CASE = new ConcurrentHashMap<>();

  private static final A2aParams V0_3 = new A2aParams(A2aVersion.V0_3);
  private static final A2aParams V1_0 = new A2aParams(A2aVersion.V1_0);

  final Map<String, Role> roles;
  final RequestMember role;
  final RequestMember parts;
  final RequestMember message;
  final RequestMember authentication;
  final RequestMember push;
  final RequestMember configuration;
  final RequestMember status;
  private final boolean isV1;
  private final Map<A2aMethod, DeclaredParams> byMethod = new EnumMap<>(A2aMethod.class);

  private A2aParams(A2aVersion version) {
    this.isV1 = version == A2aVersion.V1_0;
    this.roles =
        isV1
            ? Map.of("ROLE_USER", Role.USER, "ROLE_AGENT", Role.AGENT)
            : Map.of("user", Role.USER, "agent", Role.AGENT);
    this.role = required("role", Word.of(roles), "The sender.");
    this.parts =
        required(
            "parts",
            new Array(
                isV1
                    ? members(TEXT, RAW, URL, DATA, FILENAME, MEDIA_TYPE, METADATA)
                    : members(KIND_V03, TEXT, DATA_V03, FILE_V03, METADATA),
                1,
                Integer.MAX_VALUE,
                false,
                "at least one part"),
            isV1
                ? "The content; a part has exactly one of text, raw, url and data."
                : "The content; a part has the member that its kind names.");
    RequestMember kind = optional("kind", Word.of(List.of("message")), "What this is.");
    Stream<RequestMember> ofMessage =
        Stream.of(
            MESSAGE_ID, role, parts, CONTEXT_ID, TASK_ID, REFERENCES, EXTENSIONS, MESSAGE_METADATA);
    this.message =
        required(
            "message",
            Members.of((isV1 ? ofMessage : Stream.concat(Stream.of(kind), ofMessage)).toList()),
            "The message.");
    this.authentication =
        optional(
            "authentication",
            isV1 ? members(SCHEME, CREDENTIALS) : members(SCHEMES_V03, CREDENTIALS),
            "How the notification is authenticated.");
    this.push =
        optional(
            isV1 ? "taskPushNotificationConfig" : "pushNotificationConfig",
            members(TASK_ID, PUSH_ID, PUSH_URL, TOKEN, authentication),
            "How an address is notified.");
    this.configuration =
        optional(
            "configuration",
            members(OUTPUT_MODES, isV1 ? RETURN_IMMEDIATELY : BLOCKING_V03, HISTORY_LENGTH, push),
            "What is wanted of the response.");
    this.status =
        optional(
            "status",
            Word.of(
                Stream.concat(
                        A2aTaskState.words(version).keySet().stream().sorted(),
                        Stream.of(UNSPECIFIED))
                    .toList()),
            "The status of the tasks; any by default.");
    Stream.of(A2aMethod.values()).forEach(method -> byMethod.put(method, declared(method)));
  }

  private static Members members(RequestMember... members) {
    return Members.of(List.of(members));
  }

  static A2aParams of(A2aVersion version) {
    return switch (version) {
      case V0_3 -> V0_3;
      case V1_0 -> V1_0;
    };
  }

  /** The declared params of a method. */
  public static DeclaredParams of(VersionedMethod method) {
    return of(method.version()).of(method.method());
  }

  private DeclaredParams of(A2aMethod method) {
    return Objects.requireNonNull(byMethod.get(method));
  }

  private DeclaredParams declared(A2aMethod method) {
    RequestMember task = isV1 ? TASK_ID.mandatory() : TASK;
    Stream<RequestMember> members =
        switch (method) {
          case SEND, STREAM -> Stream.of(message, configuration, METADATA);
          case GET -> Stream.of(TASK, HISTORY_LENGTH);
          case LIST ->
              Stream.of(
                  CONTEXT_ID,
                  status,
                  STATUS_AFTER,
                  PAGE_SIZE,
                  PAGE_TOKEN,
                  HISTORY_LENGTH,
                  INCLUDE_ARTIFACTS);
          case CANCEL -> Stream.of(TASK, METADATA);
          case SUBSCRIBE -> Stream.of(TASK);
          case CREATE_PUSH ->
              isV1
                  ? Stream.of(task, PUSH_ID, PUSH_URL, TOKEN, authentication)
                  : Stream.of(TASK_ID.mandatory(), push.mandatory());
          case GET_PUSH -> Stream.of(task, isV1 ? PUSH_ID.mandatory() : PUSH_ID_V03);
          case LIST_PUSH -> Stream.of(task, PUSH_PAGE_SIZE, PAGE_TOKEN);
          case DELETE_PUSH -> Stream.of(task, (isV1 ? PUSH_ID : PUSH_ID_V03).mandatory());
          case EXTENDED_CARD -> Stream.of();
        };
    return new DeclaredParams(
        Stream.concat(members, Stream.of(isV1 ? TENANT : METADATA)).distinct().toList());
  }

  /** In 1.0 each member has a second name. */
  CheckedMembers checked(A2aMethod method, @Nullable String params) {
    return CheckedMembers.of(
        params, of(method), isV1 ? A2aParams::snakeCase : UnaryOperator.identity());
  }

  private static String snakeCase(String name) {
    return SNAKE_CASE.computeIfAbsent(
        name, it -> it.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT));
  }
}
