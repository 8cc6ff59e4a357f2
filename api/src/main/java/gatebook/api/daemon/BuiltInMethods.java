package gatebook.api.daemon;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.log.LogLevel;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RequestMember;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The built-in methods of a daemon, with which the process that started it controls it. */
public final class BuiltInMethods {

  private static final String PROTOCOL = "2.0";
  private static final String LEVEL = "level";

  private final String version;
  private final List<Described> others;
  private final Host host;

  /** The process that runs a daemon. */
  public interface Host {

    void setLogLevel(LogLevel level);

    /** Stops the process after the response to the current request. */
    void stopAfterAnswer();
  }

  /** The description of a method. */
  public record Described(String name, String description, DeclaredParams params, String returns) {}

  /** Notifications of the language server protocol, which are not listed. */
  private static final String EXIT = "exit";

  private static final String CANCEL = "$/cancelRequest";

  private enum Method {
    INITIALIZE(
        "initialize",
        "The name, version and protocol version of this server; need not be called first.",
        "{serverInfo: {name: string, version: string}, protocolVersion: string}"),
    LIST_METHODS(
        "listMethods",
        "All methods of this server, with a line about each.",
        "[{name: string, description: string}]"),
    DESCRIBE_METHODS(
        "describeMethods",
        "The parameters and results of these methods.",
        "[{name: string, params: [string], returns: string}]"),
    VERSION("version", "The version of this program.", "{version: string}"),
    SET_LOG_LEVEL(
        "setLogLevel",
        "Sets the log level: debug, info, warn or error.",
        "{level: string, success: boolean}",
        RequestMember.required(
            LEVEL,
            new MemberType.Word(LogLevel.words(), true, "a log level"),
            "The log level from now on.")),
    SHUTDOWN("shutdown", "Stops this process after the response.", "{message: string}");

    private final String rpcName;
    private final String description;
    private final String returns;

    @SuppressWarnings("ImmutableEnumChecker") // a copy of a list of values
    private final DeclaredParams params;

    Method(String rpcName, String description, String returns, RequestMember... params) {
      this.rpcName = rpcName;
      this.description = description;
      this.returns = returns;
      this.params = DeclaredParams.of(params);
    }

    Described described() {
      return new Described(rpcName, description, params, returns);
    }

    /** What is wrong with params; {@code initialize} accepts any: clients send different ones. */
    Optional<Problem> wrong(@Nullable String sent, ObjectMembers members) {
      return this == INITIALIZE
          ? DeclaredParams.notByName(sent)
          : params.wrongOrUnknown(sent, members);
    }

    static Optional<Method> byName(String name) {
      return Arrays.stream(values()).filter(it -> it.rpcName.equals(name)).findFirst();
    }
  }

  /**
   * Creates the methods for a process.
   *
   * @param others the other methods that {@code listMethods} shows
   */
  public BuiltInMethods(String version, List<Described> others, Host host) {
    this.version = version;
    this.others = List.copyOf(others);
    this.host = host;
  }

  /** The declared params of each method by its name. */
  public static Map<String, DeclaredParams> declared() {
    return Arrays.stream(Method.values())
        .collect(Collectors.toUnmodifiableMap(it -> it.rpcName, it -> it.params));
  }

  /** The intent of a call; empty when its method is not built in. */
  Optional<Intent> intent(DialectCall dialectCall) {
    if (isUnlisted(dialectCall.method())) {
      return Optional.of(new Intent.AnswerHere());
    }
    return Method.byName(dialectCall.method())
        .map(method ->
            method
                .wrong(dialectCall.params(), dialectCall.members())
                .<Intent>map(it -> new Intent.Unservable(new InvalidParams(List.of(it))))
                .orElseGet(Intent.AnswerHere::new));
  }

  /** Performs a call and returns its result; empty when its method is not built in. */
  Optional<CompletableFuture<Ended>> answer(DialectCall dialectCall) {
    if (isUnlisted(dialectCall.method())) {
      return Optional.of(CompletableFuture.completedFuture(new Ended.Result("null", false)));
    }
    return Method.byName(dialectCall.method())
        .map(method ->
            new Ended.Result(perform(method, level(dialectCall.members()).orElse(null)), false))
        .map(CompletableFuture::completedFuture);
  }

  /** Performs what a notification asks for, unless its params are wrong. */
  public void apply(RpcMessage.Notification notification) {
    if (notification.method().equals(EXIT)) {
      host.stopAfterAnswer();
    }
    ObjectMembers objectMembers = notification.members();
    Optional<LogLevel> level = level(objectMembers);
    Method.byName(notification.method())
        .filter(method -> method.wrong(notification.params(), objectMembers).isEmpty())
        .ifPresent(method -> perform(method, level.orElse(null)));
  }

  /** Whether a method stops the process. */
  public static boolean isShutdown(String method) {
    return method.equals(Method.SHUTDOWN.rpcName);
  }

  /** Whether a message stops the process; with params it may be refused. */
  public static boolean stops(RpcMessage message) {
    return switch (message) {
      case RpcMessage.Request(_, var method, var params, _) ->
          isShutdown(method) && isEmpty(params);
      case RpcMessage.Notification(var method, var params, _) ->
          method.equals(EXIT) || (isShutdown(method) && isEmpty(params));
      case RpcMessage.Unreadable _ -> false;
    };
  }

  private static boolean isEmpty(@Nullable String params) {
    return params == null || params.equals("{}");
  }

  /** The id of the request that a notification cancels; empty when it cancels none. */
  public static Optional<String> cancelled(RpcMessage message) {
    return message instanceof RpcMessage.Notification notification
            && notification.method().equals(CANCEL)
        ? notification.members().json("id")
        : Optional.empty();
  }

  private static boolean isUnlisted(String method) {
    return method.equals(EXIT) || method.equals(CANCEL);
  }

  private String perform(Method method, @Nullable LogLevel level) {
    return switch (method) {
      case INITIALIZE ->
          "{\"serverInfo\":{\"name\":\"gatebook\",\"version\":%s},\"protocolVersion\":%s}"
              .formatted(quoted(version), quoted(PROTOCOL));
      case LIST_METHODS -> methods(BuiltInMethods::listed);
      case DESCRIBE_METHODS -> methods(BuiltInMethods::described);
      case VERSION -> "{\"version\":%s}".formatted(quoted(version));
      case SET_LOG_LEVEL -> setLevel(level);
      case SHUTDOWN -> shutDown();
    };
  }

  private String methods(Function<Described, String> shown) {
    return Stream.concat(Arrays.stream(Method.values()).map(Method::described), others.stream())
        .map(shown)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String listed(Described method) {
    return "{\"name\":%s,\"description\":%s}"
        .formatted(quoted(method.name), quoted(method.description));
  }

  private static String described(Described method) {
    return "{\"name\":%s,\"params\":%s,\"returns\":%s}"
        .formatted(
            quoted(method.name),
            method.params.members().stream()
                .map(member -> quoted(described(member)))
                .collect(Collectors.joining(",", "[", "]")),
            quoted(method.returns));
  }

  /** A member as {@code name: type}, with a question mark behind if it may be absent. */
  private static String described(RequestMember member) {
    return "%s: %s%s".formatted(member.name(), word(member.type()), member.required() ? "" : "?");
  }

  private static String word(MemberType type) {
    return switch (type) {
      case MemberType.Array array -> "[%s]".formatted(word(array.of()));
      case MemberType.Either(var types, _) ->
          types.stream().map(BuiltInMethods::word).collect(Collectors.joining(" | "));
      case MemberType.OrNull(var inner, _) -> word(inner) + " | null";
      default -> type.jsonType();
    };
  }

  private String setLevel(@Nullable LogLevel level) {
    if (level == null) {
      throw new IllegalStateException("an invalid level is refused before");
    }
    host.setLogLevel(level);
    return "{\"level\":%s,\"success\":true}".formatted(quoted(level.word()));
  }

  private String shutDown() {
    host.stopAfterAnswer();
    return "{\"message\":\"Shutting down gracefully\"}";
  }

  private static Optional<LogLevel> level(ObjectMembers objectMembers) {
    return objectMembers.text(LEVEL).flatMap(LogLevel::named);
  }
}
