package gatebook.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.GateDenied;
import gatebook.events.Proof;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.journal.DraftEvent;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.denials.CountDenials;
import gatebook.query.denials.DenialDimension;
import gatebook.query.denials.DenialGroup;
import gatebook.query.denials.DenialQueries;
import gatebook.query.denials.ListDenials;
import gatebook.query.denials.ListedDenial;
import gatebook.query.faults.CompareFaultRates;
import gatebook.query.faults.CountFaults;
import gatebook.query.faults.FaultCount;
import gatebook.query.faults.FaultDimension;
import gatebook.query.faults.FaultGroup;
import gatebook.query.faults.FaultQueries;
import gatebook.query.faults.FaultRate;
import gatebook.query.faults.GroupFaults;
import gatebook.query.faults.ListFaults;
import gatebook.query.faults.ListedFault;
import gatebook.query.projection.ColumnFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each group of denials and of errors has a list with exactly what it counts. */
@Timeout(300)
final class CountedListsTest {
  private static final int APPENDS = Proof.rounds(200, 600);
  private static final int EVERYTHING = 1_000_000;
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final Comparator<ListedDenial> NEWEST_FIRST =
      Comparator.comparing((ListedDenial denial) -> Instant.parse(denial.at())).reversed();
  private static final Map<DenialDimension, Duration> TIMES =
      Map.of(
          DenialDimension.MINUTE, Duration.ofMinutes(1),
          DenialDimension.HOUR, Duration.ofHours(1),
          DenialDimension.DAY, Duration.ofDays(1));

  @TempDir private Path directory;

  private final long seed = Proof.seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  @AutoClose private FollowedJournal followed;
  private Views views;

  @BeforeEach
  void open() throws InterruptedException {
    followed = FollowedJournal.in(directory);
    views = followed.follow((file, journal, _) -> Views.follow(file, journal), Views::close);
    RandomEvents randomEvents = new RandomEvents(random);
    for (int i = 0; i < APPENDS; i++) {
      followed.append(randomEvents.next());
    }
    followed.append(List.of(untoldDenial()));
    followed.awaitHead(views.all());
  }

  /** A denial whose caller was not told yet, and that has no target. */
  private static DraftEvent untoldDenial() {
    return new EventVocabulary()
        .draft(
            new GateDenied(
                new UUID(7, 7),
                "rules",
                null,
                "ada",
                List.of(
                    new Ruling.Governance(
                        new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "*", 1))),
            Instant.parse("2026-01-02T03:04:05Z"));
  }

  @Test
  void eachGroupOfDenialsHasItsList() throws Exception {
    for (Set<DenialDimension> by : subsets()) {
      long counted = 0;
      for (DenialGroup group : groups(List.copyOf(by))) {
        List<ListedDenial> listed = denials(filter(group));
        assertThat(listed).as("seed %d, %s", seed, group).hasSize((int) group.count());
        assertThat(listed)
            .as("seed %d, %s", seed, group)
            .isSortedAccordingTo(NEWEST_FIRST)
            .doesNotHaveDuplicates();
        assertThat(listed.isEmpty() ? null : listed.getLast().at())
            .as("seed %d, %s", seed, group)
            .isEqualTo(group.firstAt());
        assertThat(countOf(filter(group))).as("seed %d, %s", seed, group).isEqualTo(group.count());
        counted += group.count();
      }
      assertThat(denials(ListDenials.Filter.ALL))
          .as("seed %d, %s", seed, by)
          .hasSize((int) counted);
    }
  }

  private List<Set<DenialDimension>> subsets() {
    List<DenialDimension> all = List.of(DenialDimension.values());
    return IntStream.range(1, 1 << all.size())
        .<Set<DenialDimension>>mapToObj(bits -> {
          Set<DenialDimension> some = EnumSet.noneOf(DenialDimension.class);
          IntStream.range(0, all.size())
              .filter(i -> (bits & (1 << i)) != 0)
              .forEach(i -> some.add(all.get(i)));
          return some;
        })
        .filter(some -> some.size() == 1 || some.size() == all.size() || isChosenPair(some))
        .toList();
  }

  /** Each pair at full length, and otherwise some of them. */
  private boolean isChosenPair(Set<DenialDimension> some) {
    return some.size() == 2 && random.nextInt(Proof.rounds(3, 1)) == 0;
  }

  private List<DenialGroup> groups(List<DenialDimension> by) throws InterruptedException {
    return views
        .queries()
        .send(
            new CountDenials(ListDenials.Filter.ALL, by, NOW, EVERYTHING, 0),
            DenialQueries.Counts.class)
        .groups();
  }

  private long countOf(ListDenials.Filter filter) throws InterruptedException {
    return views
        .queries()
        .send(new CountDenials(filter, List.of(), NOW, EVERYTHING, 0), DenialQueries.Counts.class)
        .total();
  }

  private List<ListedDenial> denials(ListDenials.Filter filter) throws InterruptedException {
    List<ListedDenial> denials = new ArrayList<>();
    OptionalLong after = OptionalLong.empty();
    long total;
    do {
      DenialQueries.DenialPage page =
          views
              .queries()
              .send(
                  new ListDenials(filter, after, 1 + random.nextInt(40), 0),
                  DenialQueries.DenialPage.class);
      denials.addAll(page.denials());
      total = page.total();
      after = page.next();
    } while (after.isPresent());
    assertThat(denials).as("seed %d, %s", seed, filter).hasSize((int) total);
    return denials;
  }

  private static ListDenials.Filter filter(DenialGroup group) {
    List<Instant> begins = new ArrayList<>();
    List<Instant> ends = new ArrayList<>();
    TIMES.forEach((dimension, length) -> {
      if (group.members().get(dimension.word()) instanceof String begin) {
        begins.add(Instant.parse(begin));
        ends.add(Instant.parse(begin).plus(length));
      }
    });
    return new ListDenials.Filter(
        begins.stream().max(Comparator.naturalOrder()),
        ends.stream().min(Comparator.naturalOrder()),
        member(group.members(), "gate"),
        member(group.members(), "tool"),
        member(group.members(), "principal"),
        member(group.members(), "reason"),
        member(group.members(), "dialect"),
        member(group.members(), "code"));
  }

  private static ColumnFilter member(Map<String, @Nullable Object> members, String name) {
    Object value = members.get(name);
    if (value == null) {
      return members.containsKey(name) ? ColumnFilter.NOTHING : ColumnFilter.ANYTHING;
    }
    return new ColumnFilter.Exactly(value);
  }

  @Test
  void eachGroupOfErrorsHasItsList() throws Exception {
    FaultQueries.Groups groups =
        views
            .queries()
            .send(
                new GroupFaults(ListFaults.Filter.ALL, NOW, EVERYTHING, 0),
                FaultQueries.Groups.class);

    assertThat(groups.groups()).hasSizeGreaterThan(5);
    for (FaultGroup group : groups.groups()) {
      List<ListedFault> listed = faults(fingerprint(group.fingerprint()));
      assertThat(listed.stream().mapToLong(ListedFault::times).sum())
          .as("seed %d, %s", seed, group)
          .isEqualTo(group.count());
      assertThat(listed)
          .as("seed %d, %s", seed, group)
          .extracting(
              ListedFault::fingerprint,
              ListedFault::dialect,
              ListedFault::code,
              ListedFault::fault,
              ListedFault::gate,
              ListedFault::target)
          .containsOnly(
              tuple(
                  group.fingerprint(),
                  group.dialect(),
                  group.code(),
                  group.fault(),
                  group.gate(),
                  group.target()));
      assertThat(faults(sameMembers(group)))
          .as("seed %d, %s", seed, group)
          .containsExactlyElementsOf(listed);
    }
  }

  @Test
  void eachCountOfErrorsHasItsList() throws Exception {
    List<FaultDimension> all = List.of(FaultDimension.values());
    List<List<FaultDimension>> combinations = new ArrayList<>(List.of(all));
    for (FaultDimension one : all) {
      all.subList(all.indexOf(one), all.size())
          .forEach(other -> combinations.add(List.of(one, other)));
    }
    for (List<FaultDimension> by : combinations) {
      List<FaultCount> counts = counts(ListFaults.Filter.ALL, by);
      assertThat(counts).isNotEmpty();
      for (FaultCount count : counts) {
        ListFaults.Filter filter = filter(by, count);
        assertThat(faults(filter).stream().mapToLong(ListedFault::times).sum())
            .as("seed %d, %s", seed, count)
            .isEqualTo(count.count());
        assertThat(counts(filter, by)).as("seed %d", seed).containsExactly(count);
      }
      if (by.stream().noneMatch(FaultDimension::isTime)) {
        assertThat(rates(by)).as("seed %d, %s", seed, by).isEqualTo(counts);
      }
    }
  }

  private List<FaultCount> counts(ListFaults.Filter filter, List<FaultDimension> by)
      throws InterruptedException {
    return views
        .queries()
        .send(new CountFaults(filter, by, NOW, EVERYTHING, 0), FaultQueries.FaultCounts.class)
        .groups();
  }

  private List<FaultCount> rates(List<FaultDimension> by) throws InterruptedException {
    return views
        .queries()
        .send(
            new CompareFaultRates(ListFaults.Filter.ALL, by, NOW, EVERYTHING, 0),
            FaultQueries.Rates.class)
        .groups()
        .stream()
        .map(FaultRate::faultCount)
        .toList();
  }

  private List<ListedFault> faults(ListFaults.Filter filter) throws InterruptedException {
    List<ListedFault> faults = new ArrayList<>();
    OptionalLong after = OptionalLong.empty();
    long total;
    do {
      FaultQueries.FaultPage page =
          views
              .queries()
              .send(
                  new ListFaults(filter, after, 1 + random.nextInt(40), 0),
                  FaultQueries.FaultPage.class);
      faults.addAll(page.faults());
      total = page.total();
      after = page.next();
    } while (after.isPresent());
    assertThat(faults.stream().mapToLong(ListedFault::times).sum())
        .as("seed %d, %s", seed, filter)
        .isEqualTo(total);
    return faults;
  }

  private static ListFaults.Filter fingerprint(String fingerprint) {
    return new ListFaults.Filter(
        Optional.empty(),
        Optional.empty(),
        Optional.of(fingerprint),
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING);
  }

  private static ListFaults.Filter sameMembers(FaultGroup group) {
    return new ListFaults.Filter(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new ColumnFilter.Exactly(group.dialect()),
        exactly(text(group.code())),
        new ColumnFilter.Exactly(group.fault()),
        exactly(group.gate()),
        exactly(group.target()),
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING);
  }

  private static ListFaults.Filter filter(List<FaultDimension> by, FaultCount count) {
    Map<String, JsonNode> members = count.members();
    List<Instant> begins = new ArrayList<>();
    List<Instant> ends = new ArrayList<>();
    for (FaultDimension dimension : by) {
      if (dimension.isTime()) {
        Instant begin =
            Instant.parse(Objects.requireNonNull(members.get(dimension.word())).asText());
        begins.add(begin);
        ends.add(begin.plusSeconds(dimension.seconds()));
      }
    }
    return new ListFaults.Filter(
        begins.stream().max(Comparator.naturalOrder()),
        ends.stream().min(Comparator.naturalOrder()),
        Optional.ofNullable(text(members.get("fingerprint"))),
        member(by, FaultDimension.CODE, members.get("dialect")),
        member(by, FaultDimension.CODE, members.get("code")),
        member(by, FaultDimension.FAULT, members.get("fault")),
        member(by, FaultDimension.GATE, members.get("gate")),
        member(by, FaultDimension.TARGET, members.get("target")),
        member(by, FaultDimension.AGENT, members.get("agent")),
        member(by, FaultDimension.SKILL, members.get("skill")));
  }

  private static ColumnFilter member(
      List<FaultDimension> by, FaultDimension dimension, @Nullable JsonNode value) {
    return by.contains(dimension) ? exactly(text(value)) : ColumnFilter.ANYTHING;
  }

  private static @Nullable String text(@Nullable JsonNode value) {
    return value == null ? null : value.asText();
  }

  private static ColumnFilter exactly(@Nullable String value) {
    return Stream.ofNullable(value)
        .<ColumnFilter>map(ColumnFilter.Exactly::new)
        .findFirst()
        .orElse(ColumnFilter.NOTHING);
  }
}
