package gatebook.events.keys.store;

import gatebook.events.keys.ContentOwner;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The owners that used their key on the newest day on which one did, in the order of their use. */
final class UsedOwners {

  private final Set<ContentOwner> owners = new LinkedHashSet<>();
  private LocalDate day = LocalDate.MIN;

  synchronized void add(ContentOwner owner) {
    if (owner.day().isAfter(day)) {
      day = owner.day();
      owners.clear();
    }
    if (owner.day().equals(day)) {
      owners.add(owner);
    }
  }

  /** Those of a day; none when it is not the newest. */
  synchronized List<ContentOwner> of(LocalDate wanted) {
    return wanted.equals(day) ? List.copyOf(owners) : List.of();
  }
}
