package gatebook.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gatebook.events.Proof;
import gatebook.query.errors.CountErrors;
import gatebook.query.errors.Counted;
import gatebook.query.errors.ErrorDimension;
import gatebook.query.errors.ErrorFilter;
import gatebook.query.errors.ErrorGroup;
import gatebook.query.errors.ErrorQueries.ErrorCounts;
import gatebook.query.errors.ErrorQueries.ErrorPage;
import gatebook.query.errors.ListErrors;
import gatebook.query.errors.ListedError;
import gatebook.query.projection.ColumnFilter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each group of denials and of errors has a list with exactly what it counts. */
@Timeout(300)
final class CountedListsTest {
  private static final int APPENDS = Proof.rounds(200, 600);
  private static final int EVERYTHING = 1_000_000;
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  @TempDir private Path directory;

  private final long seed = Proof.seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  @AutoClose private FollowedJournal followed;
  private Views views;

  @BeforeEach
  void open() throws InterruptedException {
    followed = FollowedJournal.in(directory);
    views =
        followed.follow(
            (file, journal, _, content) -> Views.follow(file, journal, content), Views::close);
    RandomEvents randomEvents = new RandomEvents(random);
    for (int i = 0; i < APPENDS; i++) {
      followed.append(randomEvents.next());
    }
    followed.awaitHead(views.all());
  }

  @ParameterizedTest
  @EnumSource(names = "OBSERVED", mode = EnumSource.Mode.EXCLUDE) // it has no lists
  void eachGroupHasItsList(Counted counted) throws Exception {
    List<ErrorDimension> all = counted.dimensions();
    List<List<ErrorDimension>> combinations = new ArrayList<>(List.of(all));
    for (ErrorDimension one : all) {
      combinations.add(List.of(one, all.get(random.nextInt(all.size()))));
    }
    for (List<ErrorDimension> by : combinations) {
      List<ErrorGroup> groups = groups(ErrorFilter.all(counted), by);
      groups.removeIf(group -> group.count() == 0); // a gate that denied nothing
      assertThat(groups).isNotEmpty();
      for (ErrorGroup group : groups) {
        ErrorFilter filter = filter(counted, group);
        assertThat(times(listed(filter))).as("seed %d, %s", seed, group).isEqualTo(group.count());
        assertThat(groups(filter, by))
            .as("seed %d", seed)
            .extracting(ErrorGroup::members, ErrorGroup::count, ErrorGroup::lastCallId)
            .containsExactly(tuple(group.members(), group.count(), group.lastCallId()));
      }
    }
  }

  @Test
  void aFingerprintHasTheListOfItsMembers() throws Exception {
    for (ErrorGroup group : groups(ErrorFilter.all(Counted.ERRORS), List.of())) {
      Map<String, @Nullable Object> members = new HashMap<>(group.members());
      Object fingerprint = members.remove("fingerprint");

      assertThat(listed(filter(Counted.ERRORS, members)))
          .as("seed %d, %s", seed, group)
          .isEqualTo(listed(filter(Counted.ERRORS, Map.of("fingerprint", fingerprint))))
          .extracting(ListedError::fingerprint)
          .containsOnly((String) fingerprint);
    }
  }

  private List<ErrorGroup> groups(ErrorFilter filter, List<ErrorDimension> by)
      throws InterruptedException {
    return new ArrayList<>(
        views
            .queries()
            .send(new CountErrors(filter, by, NOW, EVERYTHING, 0), ErrorCounts.class)
            .groups());
  }

  private List<ListedError> listed(ErrorFilter filter) throws InterruptedException {
    List<ListedError> listed = new ArrayList<>();
    OptionalLong after = OptionalLong.empty();
    do {
      ErrorPage page =
          views
              .queries()
              .send(new ListErrors(filter, after, 1 + random.nextInt(200), 0), ErrorPage.class);
      listed.addAll(page.errors());
      after = page.next();
    } while (after.isPresent());
    return listed;
  }

  private static long times(List<ListedError> listed) {
    return listed.stream().mapToLong(ListedError::times).sum();
  }

  private static ErrorFilter filter(Counted counted, Map<String, @Nullable Object> members) {
    Map<String, ColumnFilter> conditions = new HashMap<>();
    members.forEach((member, value) ->
        conditions.put(
            member,
            value == null ? ColumnFilter.NOTHING : new ColumnFilter.Exactly(value.toString())));
    return new ErrorFilter(counted, Optional.empty(), Optional.empty(), conditions);
  }

  private static ErrorFilter filter(Counted counted, ErrorGroup group) {
    Map<String, @Nullable Object> members = new HashMap<>(group.members());
    List<Instant> begins = new ArrayList<>();
    List<Instant> ends = new ArrayList<>();
    for (ErrorDimension dimension : counted.dimensions()) {
      if (dimension.isTime() && members.remove(dimension.word()) instanceof String begin) {
        begins.add(Instant.parse(begin));
        ends.add(Instant.parse(begin).plusSeconds(dimension.seconds()));
      }
    }
    return new ErrorFilter(
        counted,
        begins.stream().max(Comparator.naturalOrder()),
        ends.stream().min(Comparator.naturalOrder()),
        filter(counted, members).members());
  }
}
