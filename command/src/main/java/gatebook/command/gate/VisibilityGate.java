package gatebook.command.gate;

import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gate 1: a name passes when an enabled source answers for it and shows it. */
public final class VisibilityGate {

  private VisibilityGate() {}

  /** What becomes of a name; {@code pattern} is the one that matched, absent when none did. */
  public sealed interface Sight {

    record Shown(Source source, @Nullable String pattern) implements Sight {}

    /** {@code source} answers for the name; it is absent when none does. */
    record Hidden(DenialReason reason, @Nullable Source source, @Nullable String pattern)
        implements Sight {}

    /** This as a ruling that took so long. */
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

  public static Sight of(String name, SourceFamily sourceFamily, Rules rules) {
    return answering(name, sourceFamily, rules)
        .map(source -> seen(name, source))
        .orElseGet(() -> new Sight.Hidden(DenialReason.SOURCE_UNKNOWN, null, null));
  }

  /** The source that answers for a name: the one whose prefix says most of it. */
  public static Optional<Source> answering(String name, SourceFamily sourceFamily, Rules rules) {
    return rules.sources().stream()
        .filter(source -> sourceFamily.has(source.kind()) && name.startsWith(source.prefix()))
        .max(Comparator.comparingInt(source -> source.prefix().length()));
  }

  private static Sight seen(String name, Source source) {
    if (!source.enabled()) {
      return new Sight.Hidden(DenialReason.SOURCE_DISABLED, source, null);
    }
    ExposeRules exposeRules = source.expose();
    String pattern = matching(exposeRules, source.ownName(name));
    boolean shown =
        switch (exposeRules.exposure()) {
          case ALL -> true;
          case ALLOWLIST -> pattern != null;
          case BLOCKLIST -> pattern == null;
        };
    return shown
        ? new Sight.Shown(source, pattern)
        : new Sight.Hidden(DenialReason.NOT_EXPOSED, source, pattern);
  }

  private static @Nullable String matching(ExposeRules exposeRules, String ownName) {
    for (Glob glob : exposeRules.patterns()) {
      if (glob.matches(ownName)) {
        return glob.pattern();
      }
    }
    return null;
  }
}
