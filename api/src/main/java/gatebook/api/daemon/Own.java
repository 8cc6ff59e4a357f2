package gatebook.api.daemon;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.border.Methods.Asking;
import gatebook.api.log.LogLevel;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Message;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.receive.Aim;
import gatebook.events.call.Json;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a daemon answers about itself to the one process that started it. */
public final class Own {

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
  public Own(String version, List<Described> others, Host host) {
    this.version = version;
    this.others = List.copyOf(others);
    this.host = host;
  }

  /** What a call wants; empty when its method is none of these. */
  Optional<Aim> aim(Asking asking) {
    return Method.named(asking.method())
        .map(method ->
            method == Method.SET_LOG_LEVEL && level(asking).isEmpty()
                ? noLevel(asking)
                : new Aim.Ask());
  }

  /** Does what was asked, and says so; empty when the method is none of these. */
  Optional<CompletableFuture<Ended>> answer(Asking asking) {
    return Method.named(asking.method())
        .map(method -> new Ended.Result(done(method, level(asking).orElse(null)), false))
        .map(CompletableFuture::completedFuture);
  }

  /** Does what a notification asked for, which wants no answer. */
  public void heed(Message.Notification notification) {
    Members members = notification.members();
    Optional<LogLevel> level = members.text(LEVEL).flatMap(LogLevel::named);
    Method.named(notification.method())
        .filter(method -> method != Method.SET_LOG_LEVEL || level.isPresent())
        .ifPresent(method -> done(method, level.orElse(null)));
  }

  private String done(Method method, @Nullable LogLevel level) {
    return switch (method) {
      case INITIALIZE ->
          "{\"serverInfo\":{\"name\":\"gatebook\",\"version\":%s},\"protocolVersion\":%s}"
              .formatted(quoted(version), quoted(PROTOCOL));
      case LIST_METHODS -> methods(Own::listed);
      case DESCRIBE_METHODS -> methods(Own::described);
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

  private static Optional<LogLevel> level(Asking asking) {
    return asking.members().text(LEVEL).flatMap(LogLevel::named);
  }

  private static Aim noLevel(Asking asking) {
    String value = asking.members().json(LEVEL).orElse("null");
    Json received = value.length() <= VALUE_CHARS_MAX ? Json.parse(value) : null;
    return new Aim.Unservable(
        new InvalidParams(
            List.of(new Problem(LEVEL, null, "a log level", received, LogLevel.words()))));
  }
}
