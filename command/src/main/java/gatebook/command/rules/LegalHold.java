package gatebook.command.rules;

import gatebook.events.keys.ContentOwner;
import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A legal hold: it forbids to erase content of the days that it touches.
 *
 * @param name by which a refusal names it
 * @param call the call whose day, and principal, it touches; absent when it is about no call
 * @param principal absent when it touches everybody's content
 * @param since the first day, in UTC; absent when it touches all days before {@code until}
 * @param until the last day; absent when it touches all days from {@code since}
 */
public record LegalHold(
    String name,
    @Nullable UUID call,
    @Nullable String principal,
    @Nullable LocalDate since,
    @Nullable LocalDate until) {

  /** Whether it touches any event of these days, whoever's content it has. */
  public boolean touchesAny(LocalDate first, LocalDate last) {
    LocalDate from = call == null ? since : ContentOwner.ofCall(null, call).day();
    LocalDate to = call == null ? until : from;
    return (from == null || !last.isBefore(from)) && (to == null || !first.isAfter(to));
  }

  /**
   * Whether it touches the content of an owner.
   *
   * @param principals finds the principal of a call; empty when the call is not known, and then
   *     everybody's content of its day is touched
   */
  public boolean touches(ContentOwner owner, Function<UUID, Optional<String>> principals) {
    if (call != null) {
      Optional<String> caller = principals.apply(call);
      return ContentOwner.ofCall(null, call).day().equals(owner.day())
          && (caller.isEmpty() || caller.get().equals(owner.principal()));
    }
    return (principal == null || principal.equals(owner.principal()))
        && (since == null || !owner.day().isBefore(since))
        && (until == null || !owner.day().isAfter(until));
  }
}
