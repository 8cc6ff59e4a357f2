package gatebook.events.keys.store;

import gatebook.events.keys.ContentOwner;
import java.time.LocalDate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A selection of content keys by their owner.
 *
 * @param principal absent for all owners, the node among them
 * @param since the first day; absent for all days before {@code until}
 * @param until the last day; absent for all days from {@code since}
 */
public record KeySelection(
    @Nullable String principal, @Nullable LocalDate since, @Nullable LocalDate until)
    implements Predicate<ContentOwner> {

  /** The keys of every owner. */
  public static final KeySelection ALL = new KeySelection(null, null, null);

  /** The keys of every owner up to a day. */
  public static KeySelection upTo(LocalDate day) {
    return new KeySelection(null, null, day);
  }

  @Override
  public boolean test(ContentOwner owner) {
    return (principal == null || principal.equals(owner.principal()))
        && (since == null || !owner.day().isBefore(since))
        && (until == null || !owner.day().isAfter(until));
  }
}
