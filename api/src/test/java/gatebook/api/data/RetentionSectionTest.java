package gatebook.api.data;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.archive.ArchiveLock;
import gatebook.api.data.JournalSection.Reading;
import gatebook.api.data.RetentionSection.DropLimits;
import gatebook.events.journal.segment.archive.SegmentRetention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The section on retention is read strictly. */
class RetentionSectionTest {
  private static Reading read(String yaml) {
    return JournalSection.read(yaml, "gatebook.yaml");
  }

  private static RetentionSection section(String yaml) {
    return ((Reading.Read) read(yaml)).section().retention();
  }

  private static Reading wrong(String... mistakes) {
    return new Reading.Invalid(List.of(mistakes));
  }

  @Test
  void everySettingIsRead() {
    assertThat(
            section(
                """
                retention:
                  events: {days: 30, bytes: 50_000_000_000}
                  drop: {days: 60, bytes: 9_000_000}
                  below_floor: true
                  archive: s3://logs/gatebook
                  archive_lock: {mode: governance, days: 400}
                """))
        .isEqualTo(
            new RetentionSection(
                OptionalInt.of(30),
                OptionalLong.of(50_000_000_000L),
                true,
                OptionalInt.empty(),
                Optional.of(new ArchiveAddress.Bucket("logs", "gatebook/")),
                Optional.of(new ArchiveLock(ArchiveLock.Mode.GOVERNANCE, 400)),
                Optional.of(
                    new DropLimits(
                        OptionalInt.of(60), OptionalLong.of(9_000_000), Duration.ZERO))));
  }

  @Test
  void everythingStaysWithoutTheSection() {
    assertThat(section("")).isEqualTo(RetentionSection.KEEP_ALL);
    assertThat(section("retention: {archive: /mnt/archive}"))
        .isEqualTo(
            new RetentionSection(
                OptionalInt.empty(),
                OptionalLong.empty(),
                false,
                OptionalInt.empty(),
                Optional.of(new ArchiveAddress.Directory(Path.of("/mnt/archive"))),
                Optional.empty(),
                Optional.empty()));
    assertThat(RetentionSection.KEEP_ALL.ofSegments().isLimited()).isFalse();
  }

  @Test
  void nothingYoungerThanTheFloorGoes() {
    assertThat(section("retention: {events: {days: 180}, archive: /a}").ofSegments().floor())
        .isEqualTo(SegmentRetention.FLOOR);
    assertThat(read("retention: {events: {days: 179}, archive: /a}"))
        .isEqualTo(
            wrong(
                "gatebook.yaml:1:28: 'retention.events.days' is below the floor of 180: set"
                    + " 'retention.below_floor: true' if shorter is allowed"));
    assertThat(
            section("retention: {events: {days: 1}, below_floor: true, archive: /a}")
                .ofSegments()
                .floor())
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void nothingYoungerThanTheFloorIsDropped() {
    assertThat(section("retention: {drop: {days: 180}}").drop())
        .contains(
            new DropLimits(OptionalInt.of(180), OptionalLong.empty(), SegmentRetention.FLOOR));
    assertThat(read("retention: {drop: {days: 179}}"))
        .isEqualTo(
            wrong(
                "gatebook.yaml:1:26: 'retention.drop.days' is below the floor of 180: set"
                    + " 'retention.below_floor: true' if shorter is allowed"));
    assertThat(section("retention: {drop: {days: 1}, below_floor: true}").drop().orElseThrow())
        .isEqualTo(new DropLimits(OptionalInt.of(1), OptionalLong.empty(), Duration.ZERO));
    assertThat(read("retention: {drop: {}}"))
        .isEqualTo(wrong("gatebook.yaml:1:19: 'retention.drop' has 'days', 'bytes' or both"));
  }

  @Test
  void contentHasDays() {
    assertThat(section("retention: {content: 90d}").contentDays()).hasValue(90);
    assertThat(section("retention: {content: {days: 1}}").contentDays()).hasValue(1);
    assertThat(section("retention: {content: 36500}").contentDays()).hasValue(36_500);
    String days = "'retention.content' is a number of days from 1 to 36500, as in 90d";
    assertThat(read("retention: {content: 0d}")).isEqualTo(wrong("gatebook.yaml:1:22: " + days));
    assertThat(read("retention: {content: 36501}")).isEqualTo(wrong("gatebook.yaml:1:22: " + days));
    assertThat(read("retention: {content: a year}"))
        .isEqualTo(wrong("gatebook.yaml:1:22: " + days));
    assertThat(read("retention: {content: {weeks: 1}}"))
        .isEqualTo(wrong("gatebook.yaml:1:23: there is no setting 'retention.content.weeks'"));
  }

  @Test
  void allMistakesAreReportedWithTheirPlaces() {
    assertThat(
            read(
                """
                retention:
                  events: {days: 0, bytes: 9, weeks: 1}
                  events: {days: 400}
                  below_floor: perhaps
                  archive: ftp://elsewhere
                  archive_lock: {mode: strict}
                  colour: blue
                """))
        .isEqualTo(
            wrong(
                "gatebook.yaml:2:18: 'retention.events.days' must be from 1 to 36500, not 0",
                "gatebook.yaml:2:28: 'retention.events.bytes' must be from 1048576 to"
                    + " 9223372036854775807, not 9",
                "gatebook.yaml:2:31: there is no setting 'retention.events.weeks'",
                "gatebook.yaml:2:11: 'retention.events' has 'days', 'bytes' or both",
                "gatebook.yaml:3:3: 'retention.events' is there twice",
                "gatebook.yaml:4:16: 'retention.below_floor' is true or false",
                "gatebook.yaml:5:12: 'retention.archive' is a directory or s3://BUCKET/PREFIX",
                "gatebook.yaml:6:24: 'retention.archive_lock.mode' is governance or compliance",
                "gatebook.yaml:7:3: there is no setting 'retention.colour'",
                "gatebook.yaml:2:11: 'retention.events' needs 'retention.archive': what drops"
                    + " events for good is 'retention.drop'",
                "gatebook.yaml:6:17: 'retention.archive_lock' needs a 'retention.archive' in S3",
                "gatebook.yaml:6:17: 'retention.archive_lock' has a 'mode' and 'days'"));
    assertThat(read("retention: 90d"))
        .isEqualTo(wrong("gatebook.yaml:1:12: 'retention' must hold keys and values"));
  }
}
