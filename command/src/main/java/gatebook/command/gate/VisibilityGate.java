package gatebook.command.gate;

import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gate 1, visibility: a name passes when an enabled source answers for it and exposes it. */
public final class VisibilityGate {

  private VisibilityGate() {}

  /** The result of the gate; {@code pattern} is the one that matched, absent when none did. */
  public sealed interface VisibilityResult {

    record Shown(Source source, @Nullable String pattern) implements VisibilityResult {}

    /** {@code source} answers for the name; it is absent when none does. */
    record Hidden(DenialReason reason, @Nullable Source source, @Nullable String pattern)
        implements VisibilityResult {}

    /** This result as a ruling that took the given time. */
    default Ruling.Visibility ruling(long tookMicros) {
      return switch (this) {
        case Shown(var source, var pattern) ->
            new Ruling.Visibility(
                new Verdict.Pass(), source.expose().exposure(), pattern, tookMicros);
        case Hidden(var reason, var source, var pattern) ->
            new Ruling.Visibility(
                new Verdict.Deny(reason, null),
                source == null ? null : source.expose().exposure(),
                pattern,
                tookMicros);
      };
    }
  }

  public static VisibilityResult evaluate(String name, SourceFamily sourceFamily, Rules rules) {
    return sourceFor(name, sourceFamily, rules)
        .map(source -> evaluate(name, source))
        .orElseGet(() -> new VisibilityResult.Hidden(DenialReason.SOURCE_UNKNOWN, null, null));
  }

  /** The source that answers for a name: the one whose prefix matches most of it. */
  public static Optional<Source> sourceFor(String name, SourceFamily sourceFamily, Rules rules) {
    Source longest = null;
    for (Source source : rules.sources()) {
      if (sourceFamily.includes(source.kind())
          && name.startsWith(source.prefix())
          && (longest == null || source.prefix().length() > longest.prefix().length())) {
        longest = source;
      }
    }
    return Optional.ofNullable(longest);
  }

  private static VisibilityResult evaluate(String name, Source source) {
    if (!source.enabled()) {
      return new VisibilityResult.Hidden(DenialReason.SOURCE_DISABLED, source, null);
    }
    ExposeRules exposeRules = source.expose();
    Glob glob = exposeRules.firstMatch(source.ownName(name));
    String pattern = glob == null ? null : glob.pattern();
    boolean shown =
        switch (exposeRules.exposure()) {
          case ALL -> true;
          case ALLOWLIST -> pattern != null;
          case BLOCKLIST -> pattern == null;
        };
    return shown
        ? new VisibilityResult.Shown(source, pattern)
        : new VisibilityResult.Hidden(DenialReason.NOT_EXPOSED, source, pattern);
  }
}
