package gatebook.command.gate;

import gatebook.events.call.DenialReason;
import gatebook.events.call.Exposure;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import org.jspecify.annotations.Nullable;

/** Gate 1: a name passes when a source answers for it and shows it. */
public final class Visibility {

  private Visibility() {}

  /** What becomes of a name. */
  public sealed interface Sight {

    record Shown(Source source) implements Sight {}

    /** {@code source} answers for the name; it is absent when none does. */
    record Hidden(DenialReason reason, @Nullable Source source) implements Sight {}

    /** This as a ruling that took so long. */
    default Ruling.Visibility ruling(long tookMicros) {
      return switch (this) {
        case Shown(var source) ->
            new Ruling.Visibility(new Verdict.Pass(), source.expose().exposure(), null, tookMicros);
        case Hidden(var reason, var source) ->
            new Ruling.Visibility(
                new Verdict.Deny(reason, null), exposure(source), null, tookMicros);
      };
    }

    private static @Nullable Exposure exposure(@Nullable Source source) {
      return source == null ? null : source.expose().exposure();
    }
  }

  public static Sight of(String name, Sources sources) {
    return sources
        .answering(name)
        .<Sight>map(source ->
            source.expose().shows(name)
                ? new Sight.Shown(source)
                : new Sight.Hidden(DenialReason.NOT_EXPOSED, source))
        .orElseGet(() -> new Sight.Hidden(DenialReason.SOURCE_UNKNOWN, null));
  }

  /** Whether a name passes, as a list of names shows it. */
  public static boolean shows(String name, Sources sources) {
    return of(name, sources) instanceof Sight.Shown;
  }
}
