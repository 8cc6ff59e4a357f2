package gatebook.api.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RedactionRules;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Scrubs the texts of log lines in every format: secrets and paths are masked, and hidden
 * characters are shown by their names. A value or argument of type {@link Path} is meant for the
 * operator to find: its path is kept, and so are the paths in a message with such an argument.
 */
final class LogScrubber {

  /** Ids that were validated on arrival; a trace id would look like a key. */
  private static final Set<String> IDS = Set.of("correlation_id", "call_id", "trace_id");

  private static final Scrubber SCRUBBER =
      new Scrubber(
          new RedactionRules(
              List.of(),
              false,
              List.of(
                  "GATEBOOK_CHECKPOINT_KEY",
                  "GATEBOOK_DB_PASSWORD",
                  "GATEBOOK_DIGEST_KEY",
                  "GATEBOOK_SEAL_KEY",
                  "GATEBOOK_TOKEN",
                  "GATEBOOK_WRAPPING_KEY")),
          List.of(),
          System.getenv());

  private static final Scrubber KEEPING_PATHS = SCRUBBER.keepingPaths();

  /** Stacks of exceptions are kept: they show what failed in this process. */
  private static final Scrubber KEEPING_STACKS = SCRUBBER.keepingStacks();

  private LogScrubber() {}

  /** RFC 3339, UTC. */
  static String time(ILoggingEvent event) {
    return Instant.ofEpochMilli(event.getTimeStamp()).toString();
  }

  static String message(ILoggingEvent event) {
    Object[] arguments = event.getArgumentArray();
    boolean hasPath =
        arguments != null && Arrays.stream(arguments).anyMatch(Path.class::isInstance);
    return VisibleText.lines(
        (hasPath ? KEEPING_PATHS : SCRUBBER).scrub(event.getFormattedMessage()));
  }

  static String stack(IThrowableProxy thrown) {
    return VisibleText.lines(KEEPING_STACKS.scrub(ThrowableProxyUtil.asString(thrown)));
  }

  static String value(String key, Object value) {
    return VisibleText.lines(
        switch (value) {
          case Path path -> KEEPING_PATHS.scrub(path.toString());
          case Object text when IDS.contains(key) -> text.toString();
          case Object text -> SCRUBBER.scrub(key, text.toString());
        });
  }
}
