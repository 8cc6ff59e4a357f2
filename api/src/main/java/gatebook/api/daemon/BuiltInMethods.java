package gatebook.api.daemon;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.log.LogLevel;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.events.call.JsonValue;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a daemon answers about itself to the one process that started it. */
public final class BuiltInMethods {

  private static final String PROTOCOL = "2.0";
  private static final String LEVEL = "level";

  /** A value that is longer is none of ours, and is not told back. */
  private static final int VALUE_CHARS_MAX = 64;

  private final String version;
  private final List<Described> others;
  private final Host host;

  /** The process in which a daemon lives. */
  public interface Host {

    void logFrom(LogLevel level);

    /** Ends once what is being answered has been answered. */
    void stopAfterThis();
  }

  /**
   * A method, for people.
   *
   * @param params each as {@code name: type}
   */
  public record Described(String name, String description, List<String> params, String returns) {}

  private enum Method {
    INITIALIZE(
        "initialize",
        "Who this is and what it speaks; nobody has to ask first.",
        "{serverInfo: {name: string, version: string}, protocolVersion: string}"),
    LIST_METHODS(
        "listMethods",
        "All methods that are answered here, with a line about each.",
        "[{name: string, description: string}]"),
    DESCRIBE_METHODS(
        "describeMethods",
        "What these methods take and what they return.",
        "[{name: string, params: [string], returns: string}]"),
    VERSION("version", "The version of this program.", "{version: string}"),
    SET_LOG_LEVEL(
        "setLogLevel",
        "Logs from a level on: debug, info, warn or error.",
        "{level: string, success: boolean}"),
    SHUTDOWN("shutdown", "Ends this process once it has answered.", "{message: string}");

    private final String word;
    private final String description;
    private final String returns;

    Method(String word, String description, String returns) {
      this.word = word;
      this.description = description;
      this.returns = returns;
    }

    Described described() {
      List<String> params = this == SET_LOG_LEVEL ? List.of(LEVEL + ": string") : List.of();
      return new Described(word, description, params, returns);
    }

    static Optional<Method> named(String name) {
      return Arrays.stream(values()).filter(it -> it.word.equals(name)).findFirst();
    }
  }

  /**
   * Answers for a process.
   *
   * @param others what else is answered there
   */
  public BuiltInMethods(String version, List<Described> others, Host host) {
    this.version = version;
    this.others = List.copyOf(others);
    this.host = host;
  }

  /** What a call wants; empty when its method is none of these. */
  Optional<Intent> aim(Asking asking) {
    return Method.named(asking.method())
        .map(method ->
            problem(method, asking.params(), asking.members())
                .<Intent>map(it -> new Intent.Unservable(new InvalidParams(List.of(it))))
                .orElseGet(Intent.Ask::new));
  }

  private static Optional<Problem> problem(
      Method method, @Nullable String params, ObjectMembers objectMembers) {
    if (params != null && !params.startsWith("{")) {
      return Optional.of(
          new Problem("params", null, "an object", JsonType.quotedOf(params), List.of()));
    }
    return unknown(method, objectMembers)
        .or(() ->
            method == Method.SET_LOG_LEVEL && level(objectMembers).isEmpty()
                ? Optional.of(noLevel(objectMembers))
                : Optional.empty());
  }

  /** Clients introduce themselves to {@code initialize}, each in its own way. */
  private static Optional<Problem> unknown(Method method, ObjectMembers objectMembers) {
    if (method == Method.INITIALIZE) {
      return Optional.empty();
    }
    boolean takesLevel = method == Method.SET_LOG_LEVEL;
    Map<String, String> unknown = new LinkedHashMap<>();
    objectMembers.forEach(unknown::put);
    unknown.keySet().removeIf(name -> takesLevel && name.equals(LEVEL));
    return unknown.entrySet().stream()
        .findFirst()
        .map(it ->
            new Problem(
                TextPrefix.of(it.getKey(), VALUE_CHARS_MAX),
                null,
                takesLevel ? "no other than " + LEVEL : "no params",
                JsonType.quotedOf(it.getValue()),
                List.of()));
  }

  /** Does what was asked, and says so; empty when the method is none of these. */
  Optional<CompletableFuture<Ended>> answer(Asking asking) {
    return Method.named(asking.method())
        .map(method -> new Ended.Result(done(method, level(asking.members()).orElse(null)), false))
        .map(CompletableFuture::completedFuture);
  }

  /** Does what a notification asked for, which wants no answer. */
  public void heed(RpcMessage.Notification notification) {
    ObjectMembers objectMembers = notification.members();
    Optional<LogLevel> level = level(objectMembers);
    Method.named(notification.method())
        .filter(method -> problem(method, notification.params(), objectMembers).isEmpty())
        .ifPresent(method -> done(method, level.orElse(null)));
  }

  /** Whether a method ends the process. */
  public static boolean isShutdown(String method) {
    return method.equals(Method.SHUTDOWN.word);
  }

  /** Ends the process without having been able to say so. */
  public void stop() {
    host.stopAfterThis();
  }

  private String done(Method method, @Nullable LogLevel level) {
    return switch (method) {
      case INITIALIZE ->
          "{\"serverInfo\":{\"name\":\"gatebook\",\"version\":%s},\"protocolVersion\":%s}"
              .formatted(quoted(version), quoted(PROTOCOL));
      case LIST_METHODS -> methods(BuiltInMethods::listed);
      case DESCRIBE_METHODS -> methods(BuiltInMethods::described);
      case VERSION -> "{\"version\":%s}".formatted(quoted(version));
      case SET_LOG_LEVEL -> loggedFrom(level);
      case SHUTDOWN -> stopping();
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
            method.params.stream()
                .map(param -> quoted(param))
                .collect(Collectors.joining(",", "[", "]")),
            quoted(method.returns));
  }

  private String loggedFrom(@Nullable LogLevel level) {
    if (level == null) {
      throw new IllegalStateException("a level that is none is refused before");
    }
    host.logFrom(level);
    return "{\"level\":%s,\"success\":true}".formatted(quoted(level.word()));
  }

  private String stopping() {
    host.stopAfterThis();
    return "{\"message\":\"Shutting down gracefully\"}";
  }

  private static Optional<LogLevel> level(ObjectMembers objectMembers) {
    return objectMembers.text(LEVEL).flatMap(LogLevel::named);
  }

  private static Problem noLevel(ObjectMembers objectMembers) {
    String value = objectMembers.json(LEVEL).orElse("null");
    JsonValue received =
        value.length() <= VALUE_CHARS_MAX ? JsonValue.parse(value) : JsonType.quotedOf(value);
    return new Problem(LEVEL, null, "a log level", received, LogLevel.words());
  }
}
