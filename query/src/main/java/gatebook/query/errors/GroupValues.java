package gatebook.query.errors;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values that the denials or errors of a group have in common, in the order of its members. */
record GroupValues(List<@Nullable String> each) {
  GroupValues {
    each = Collections.unmodifiableList(new ArrayList<>(each));
  }
}
