package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot.IndexedTag;
import gatebook.events.journal.JournalSnapshot.StoredEdge;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever one edit somebody without the key makes, anywhere in any journal: it is found, or it is
 * one of the few that cannot be found, and then exactly because nothing signed covers it.
 */
@Order(1)
class EditsAreFoundTest {
  private static final boolean LONG = "long".equals(System.getProperty("gatebook.proof"));
  private static final int ROUNDS = LONG ? 2_000 : 25;

  enum Edit {
    NOTHING {
      @Override
      Expected make(Book book, Random random) {
        return Expected.NOTHING_TO_FIND;
      }
    },
    ONE_COLUMN {
      @Override
      Expected make(Book book, Random random) {
        long position = anyPosition(book, random);
        Columns column = any(random, Columns.values());
        book.edit(position, column::changed);
        return Expected.find(
            new VerificationFinding.Altered(
                position, column == Columns.LEAF && position <= book.covered()));
      }
    },
    ONE_COLUMN_WITH_ALL_THAT_CAN_BE_MENDED {
      @Override
      Expected make(Book book, Random random) {
        long position = anyPosition(book, random);
        Columns column = any(random, Columns.CONTENTS);
        book.edit(position, column::changed);
        book.mendAllButCheckpoints();
        return position <= book.covered()
            ? Expected.findFirstChangeAt(position)
            : Expected.NOTHING_SIGNED_COVERS_IT;
      }
    },
    A_ROW_DELETED {
      @Override
      Expected make(Book book, Random random) {
        long position = anyPosition(book, random);
        book.events.remove((int) position - 1);
        return Expected.find(
            position <= book.size()
                ? new VerificationFinding.Missing(position, position)
                : new VerificationFinding.Truncated(position - 1, position, "the right edge"));
      }
    },
    A_ROW_MOVED_AWAY {
      @Override
      Expected make(Book book, Random random) {
        long position = anyPosition(book, random);
        long to =
            any(random, book.size() + 1, book.size() + 9, Long.MAX_VALUE, 0L, -5L, Long.MIN_VALUE);
        book.edit(position, entry -> Columns.moved(entry, to));
        return position == book.size()
            ? Expected.findKinds("surplus")
            : Expected.find(new VerificationFinding.Reordered(to, position));
      }
    },
    TWO_ROWS_SWAPPED {
      @Override
      Expected make(Book book, Random random) {
        long[] two = twoPositions(book, random);
        swap(book, two, true);
        return swapped(two);
      }
    },
    TWO_ROWS_SWAPPED_AND_THEIR_LEAVES_LEFT {
      @Override
      Expected make(Book book, Random random) {
        long[] two = twoPositions(book, random);
        swap(book, two, false);
        return swapped(two);
      }
    },
    TWO_ROWS_SWAPPED_WITH_NEW_LEAVES {
      @Override
      Expected make(Book book, Random random) {
        long[] two = twoPositions(book, random);
        swap(book, two, true);
        book.events.replaceAll(book::sealed);
        return two.length == 0
            ? Expected.NOTHING_TO_FIND
            : Expected.find(
                new VerificationFinding.EdgeMismatch(
                    book.size(), "its hashes are not those of the rows"));
      }
    },
    TWO_ROWS_SWAPPED_WITH_ALL_THAT_CAN_BE_MENDED {
      @Override
      Expected make(Book book, Random random) {
        long[] two = twoPositions(book, random);
        swap(book, two, true);
        book.mendAllButCheckpoints();
        if (two.length == 0) {
          return Expected.NOTHING_TO_FIND;
        }
        return two[0] <= book.covered()
            ? Expected.findFirstChangeAt(two[0])
            : Expected.NOTHING_SIGNED_COVERS_IT;
      }
    },
    A_ROW_COPIED_TO_THE_END {
      @Override
      Expected make(Book book, Random random) {
        return copied(book, anyPosition(book, random), random.nextBoolean());
      }
    },
    A_ROW_COPIED_OVER_ANOTHER {
      @Override
      Expected make(Book book, Random random) {
        long[] two = twoPositions(book, random);
        if (two.length == 0) {
          return Expected.NOTHING_TO_FIND;
        }
        book.edit(two[1], _ -> Columns.moved(book.at(two[0]), two[1]));
        if (random.nextBoolean()) {
          book.mendAllButCheckpoints();
        }
        return Expected.find(
            new VerificationFinding.Duplicate(two[1], two[0], book.at(two[0]).id()));
      }
    },
    THE_TAIL_CUT {
      @Override
      Expected make(Book book, Random random) {
        long size = book.size();
        long left = cut(book, random);
        return Expected.find(new VerificationFinding.Truncated(left, size, "the right edge"));
      }
    },
    THE_TAIL_CUT_WITH_ALL_THAT_CAN_BE_MENDED {
      @Override
      Expected make(Book book, Random random) {
        long left = cut(book, random);
        book.mendAllButCheckpoints();
        return left < book.covered()
            ? Expected.find(
                new VerificationFinding.Truncated(left, book.covered(), "the newest checkpoint"))
            : Expected.NOTHING_SIGNED_COVERS_IT;
      }
    },
    EVERYTHING_BACK_TO_AN_OLD_CHECKPOINT {
      @Override
      Expected make(Book book, Random random) {
        int kept = 1 + random.nextInt(book.checkpoints.size());
        book.checkpoints.subList(kept, book.checkpoints.size()).clear();
        book.file = Optional.of(book.checkpoints.getLast().note().getBytes(UTF_8));
        book.events.subList((int) book.covered(), book.events.size()).clear();
        book.mendAllButCheckpoints();
        return Expected.NOTHING_SIGNED_COVERS_IT;
      }
    },
    THE_EDGE_ALTERED {
      @Override
      Expected make(Book book, Random random) {
        StoredEdge edge = book.edge.orElseThrow();
        byte[] hashes = edge.hashes().clone();
        hashes[random.nextInt(hashes.length)] ^= (byte) (1 << random.nextInt(8));
        book.edge = Optional.of(new StoredEdge(edge.size(), hashes));
        return Expected.find(
            new VerificationFinding.EdgeMismatch(
                edge.size(), "its hashes are not those of the rows"));
      }
    },
    THE_EDGE_WITH_ANOTHER_SIZE {
      @Override
      Expected make(Book book, Random random) {
        StoredEdge edge = book.edge.orElseThrow();
        long size = any(random, edge.size() + 1, edge.size() - 1, -1L, 0L, 1L << 62);
        book.edge = Optional.of(new StoredEdge(size, edge.hashes()));
        return Expected.SOMETHING;
      }
    },
    THE_EDGE_BACK_IN_TIME {
      @Override
      Expected make(Book book, Random random) {
        long size = random.nextLong(book.size());
        book.edge = Optional.of(new StoredEdge(size, book.tree(size).bytes()));
        return Expected.find(
            new VerificationFinding.Surplus(size + 1, book.size(), book.size() - size, size));
      }
    },
    THE_EDGE_GONE {
      @Override
      Expected make(Book book, Random random) {
        book.edge = Optional.empty();
        return Expected.find(new VerificationFinding.EdgeMismatch(book.size(), "there is none"));
      }
    },
    A_CHECKPOINT_ALTERED {
      @Override
      Expected make(Book book, Random random) {
        int which = random.nextInt(book.checkpoints.size());
        StoredCheckpoint noted = book.checkpoints.get(which);
        byte[] note = noted.note().getBytes(UTF_8);
        note[random.nextInt(note.length)] ^= (byte) (1 << random.nextInt(8));
        book.checkpoints.set(
            which,
            new StoredCheckpoint(
                noted.number(), noted.size(), new String(note, UTF_8), noted.hashes()));
        return Expected.SOMETHING;
      }
    },
    THE_HASHES_OF_A_CHECKPOINT_ALTERED {
      @Override
      Expected make(Book book, Random random) {
        int which = random.nextInt(book.checkpoints.size());
        StoredCheckpoint noted = book.checkpoints.get(which);
        byte[] hashes = Arrays.copyOf(noted.hashes(), Math.max(1, noted.hashes().length));
        hashes[random.nextInt(hashes.length)] ^= (byte) (1 << random.nextInt(8));
        book.checkpoints.set(
            which, new StoredCheckpoint(noted.number(), noted.size(), noted.note(), hashes));
        return Expected.find(
            new VerificationFinding.CheckpointUnusable(
                "checkpoint " + noted.number() + " in the database",
                noted.size(),
                "its hashes are not those it was signed over"));
      }
    },
    A_CHECKPOINT_UNDER_ANOTHER_SIZE {
      @Override
      Expected make(Book book, Random random) {
        int which = random.nextInt(book.checkpoints.size());
        StoredCheckpoint noted = book.checkpoints.get(which);
        long size = noted.size() + any(random, 1L, -1L, 1000L);
        book.checkpoints.set(
            which, new StoredCheckpoint(noted.number(), size, noted.note(), noted.hashes()));
        return Expected.find(
            new VerificationFinding.CheckpointUnusable(
                "checkpoint " + noted.number() + " in the database",
                size,
                "its row says %d events and its note %d".formatted(size, noted.size())));
      }
    },
    A_CHECKPOINT_FORGED {
      @Override
      Expected make(Book book, Random random) {
        book.edit(1, Columns.PAYLOAD::changed);
        book.mendAllButCheckpoints();
        CheckpointKey forger = Book.FOREIGN_KEY;
        byte[] note =
            new Checkpoint(Book.TRUSTED.name(), book.size(), book.tree().root()).signedBy(forger);
        long number = book.checkpoints.size() + 1L;
        book.checkpoints.add(Book.stored(number, book.tree(), note));
        return Expected.find(
            new VerificationFinding.KeyUnknown(
                "checkpoint " + number + " in the database",
                book.size(),
                List.of(forger.verifier().label())));
      }
    },
    A_CHECKPOINT_DELETED {
      @Override
      Expected make(Book book, Random random) {
        book.checkpoints.remove(random.nextInt(book.checkpoints.size()));
        return Expected.findKinds("checkpoint-missing");
      }
    },
    ALL_CHECKPOINTS_DELETED {
      @Override
      Expected make(Book book, Random random) {
        book.checkpoints.clear();
        book.file = Optional.empty();
        return Expected.findKinds("checkpoint-missing");
      }
    },
    THE_CHECKPOINT_FILE_ALTERED {
      @Override
      Expected make(Book book, Random random) {
        byte[] note = book.file.orElseThrow().clone();
        note[random.nextInt(note.length)] ^= (byte) (1 << random.nextInt(8));
        book.file = Optional.of(note);
        return Expected.SOMETHING;
      }
    },
    THE_CHECKPOINT_FILE_DELETED {
      @Override
      Expected make(Book book, Random random) {
        book.file = Optional.empty();
        return book.checkpoints.size() > 1
            ? Expected.find(
                new VerificationFinding.CheckpointMissing(
                    "the checkpoint file is gone", Long.MAX_VALUE))
            : Expected.NOTHING_TO_FIND; // as after a crash before the file was first written
      }
    },
    THE_CHECKPOINT_FILE_OLDER {
      @Override
      Expected make(Book book, Random random) {
        book.file =
            Optional.of(
                any(random, book.checkpoints.toArray(StoredCheckpoint[]::new))
                    .note()
                    .getBytes(UTF_8));
        return Expected.NOTHING_TO_FIND; // as after a crash before the file was written again
      }
    },
    AN_INDEX_ROW_DELETED {
      @Override
      Expected make(Book book, Random random) {
        if (book.index.isEmpty()) {
          return Expected.NOTHING_TO_FIND;
        }
        IndexedTag gone = book.index.remove(random.nextInt(book.index.size()));
        return Expected.find(
            new VerificationFinding.IndexMismatch(gone.first(), gone.tag(), false));
      }
    },
    AN_INDEX_ROW_ADDED {
      @Override
      Expected make(Book book, Random random) {
        long position = any(random, anyPosition(book, random), 0L, -1L, book.size() + 1);
        book.index.add(new IndexedTag("call:new", position, position));
        return Expected.find(new VerificationFinding.IndexMismatch(position, "call:new", true));
      }
    },
    AN_INDEX_ROW_ALTERED {
      @Override
      Expected make(Book book, Random random) {
        if (book.index.isEmpty()) {
          return Expected.NOTHING_TO_FIND;
        }
        int which = random.nextInt(book.index.size());
        IndexedTag was = book.index.get(which);
        book.index.set(which, new IndexedTag(was.tag() + "x", was.first(), was.last()));
        return Expected.find(new VerificationFinding.IndexMismatch(was.first(), was.tag(), false));
      }
    },
    AN_INDEX_ROW_STRETCHED {
      @Override
      Expected make(Book book, Random random) {
        if (book.index.isEmpty()) {
          return Expected.NOTHING_TO_FIND;
        }
        int which = random.nextInt(book.index.size());
        IndexedTag was = book.index.get(which);
        long last = any(random, was.last() + 1, was.last() + 1_000, Long.MAX_VALUE);
        book.index.set(which, new IndexedTag(was.tag(), was.first(), last));
        return Expected.find(
            new VerificationFinding.IndexMismatch(was.last() + 1, was.tag(), true));
      }
    },
    AN_INDEX_ROW_SHORTENED {
      @Override
      Expected make(Book book, Random random) {
        if (book.index.isEmpty()) {
          return Expected.NOTHING_TO_FIND;
        }
        int which = random.nextInt(book.index.size());
        IndexedTag was = book.index.get(which);
        book.index.set(which, new IndexedTag(was.tag(), was.first(), was.first() - 1));
        return Expected.find(new VerificationFinding.IndexMismatch(was.first(), was.tag(), false));
      }
    };

    /** Makes the edit, and says what must come of it. */
    abstract Expected make(Book book, Random random);
  }

  @ParameterizedTest
  @EnumSource
  void theEditIsFoundExactlyWhenAnythingIsLeftToDisagree(Edit edit) {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(31L * round + edit.name().hashCode());
      Book book = book(round);

      Expected expected = edit.make(book, random);
      VerificationReport verificationReport = book.verify();

      expected.check(verificationReport, edit + " in round " + round);
    }
  }

  @ParameterizedTest
  @EnumSource
  void withACheckpointOfTheWholeKeptElsewhereEveryEditOfRowsIsFound(Edit edit) {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(31L * round + edit.name().hashCode());
      Book book = book(round);
      byte[] kept = Book.note(book.tree(), Book.KEY);
      byte[] rootBefore = book.tree().root();
      long sizeBefore = book.size();

      edit.make(book, random);
      book.mendAllButCheckpoints();
      VerificationReport verificationReport = book.verify(new ExternalCheckpoint("safe", kept));

      boolean changed = !Arrays.equals(rootBefore, book.tree(sizeBefore).root());
      assertThat(verificationReport.counts().getOrDefault("elsewhere-mismatch", 0L))
          .describedAs("%s in round %d", edit, round)
          .isEqualTo(changed ? 1 : 0);
    }
  }

  /** The same for every edit of a round, because signing is what takes time here. */
  private static Book book(int round) {
    Random random = new Random(round);
    return Book.random(random, 1 + random.nextInt(60));
  }

  /** What a report must say. */
  interface Expected {
    Expected NOTHING_TO_FIND = (verificationReport, edit) -> clean(verificationReport, edit);
    Expected NOTHING_SIGNED_COVERS_IT =
        (verificationReport, edit) -> clean(verificationReport, edit);
    Expected SOMETHING =
        (verificationReport, edit) ->
            assertThat(verificationReport.clean()).describedAs(edit).isFalse();

    void check(VerificationReport verificationReport, String edit);

    static Expected find(VerificationFinding verificationFinding) {
      return (verificationReport, edit) -> {
        assertThat(found(verificationReport)).describedAs(edit).contains(verificationFinding);
        SOMETHING.check(verificationReport, edit);
      };
    }

    static Expected findKinds(String... kinds) {
      return (verificationReport, edit) -> {
        assertThat(verificationReport.counts()).describedAs(edit).containsKeys(kinds);
        SOMETHING.check(verificationReport, edit);
      };
    }

    static Expected findFirstChangeAt(long position) {
      return (verificationReport, edit) -> {
        assertThat(found(verificationReport))
            .describedAs(edit)
            .anyMatch(it ->
                it instanceof VerificationFinding.CheckpointMismatch m
                    && m.agreedUpTo() < position
                    && position <= m.size());
        SOMETHING.check(verificationReport, edit);
      };
    }

    private static List<VerificationFinding> found(VerificationReport verificationReport) {
      return verificationReport.found().stream().map(VerificationReport.Found::finding).toList();
    }

    private static void clean(VerificationReport verificationReport, String edit) {
      assertThat(found(verificationReport)).describedAs(edit).isEmpty();
      assertThat(verificationReport.clean()).describedAs(edit).isTrue();
    }
  }

  private static long anyPosition(Book book, Random random) {
    return 1 + random.nextLong(book.size());
  }

  private static long[] twoPositions(Book book, Random random) {
    if (book.size() < 2) {
      return new long[0];
    }
    return IntStream.generate(() -> (int) anyPosition(book, random))
        .distinct()
        .limit(2)
        .sorted()
        .asLongStream()
        .toArray();
  }

  private static void swap(Book book, long[] two, boolean withLeaves) {
    if (two.length == 2) {
      Entry a = book.at(two[0]);
      Entry b = book.at(two[1]);
      book.edit(two[0], _ -> put(b, two[0], withLeaves ? b : a));
      book.edit(two[1], _ -> put(a, two[1], withLeaves ? a : b));
    }
  }

  private static Entry put(Entry content, long position, Entry leafOf) {
    return Columns.LEAF.set(Columns.moved(content, position), leafOf.leaf());
  }

  private static Expected swapped(long[] two) {
    return two.length == 0
        ? Expected.NOTHING_TO_FIND
        : (verificationReport, edit) ->
            Stream.of(
                    new VerificationFinding.Reordered(two[0], two[1]),
                    new VerificationFinding.Reordered(two[1], two[0]))
                .forEach(finding -> Expected.find(finding).check(verificationReport, edit));
  }

  private static Expected copied(Book book, long position, boolean mended) {
    long end = book.size() + 1;
    book.events.add(Columns.moved(book.at(position), end));
    if (mended) {
      book.mendAllButCheckpoints();
    }
    return Expected.find(new VerificationFinding.Duplicate(end, position, book.at(position).id()));
  }

  private static long cut(Book book, Random random) {
    long left = random.nextLong(book.size());
    book.events.subList((int) left, book.events.size()).clear();
    book.index.removeIf(indexed -> indexed.first() > left);
    return left;
  }

  @SafeVarargs
  private static <T> T any(Random random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
