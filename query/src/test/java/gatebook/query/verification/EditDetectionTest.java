package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Proof;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.JournalSnapshot.StoredEdge;
import gatebook.events.journal.storage.StoredCheckpoint;
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
 * One edit without the key, anywhere in a random journal, is found, unless no signature covers it.
 */
@Order(1)
class EditDetectionTest {
  private static final int ROUNDS = Proof.rounds(8, 2_000);

  enum Edit {
    NOTHING {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        return Expected.NOTHING_TO_FIND;
      }
    },
    ONE_COLUMN {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long position = anyPosition(inMemoryJournal, random);
        EntryColumn column = any(random, EntryColumn.values());
        inMemoryJournal.replace(position, column::changed);
        return Expected.find(
            new VerificationFinding.Altered(
                position, column == EntryColumn.LEAF && position <= inMemoryJournal.signedSize()));
      }
    },
    ONE_COLUMN_WITH_ALL_BUT_CHECKPOINTS_RECOMPUTED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long position = anyPosition(inMemoryJournal, random);
        EntryColumn column = any(random, EntryColumn.CONTENTS);
        inMemoryJournal.replace(position, column::changed);
        inMemoryJournal.recomputeAllButCheckpoints();
        return position <= inMemoryJournal.signedSize()
            ? Expected.findFirstChangeAt(position)
            : Expected.NOTHING_SIGNED_COVERS_IT;
      }
    },
    A_ROW_DELETED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long position = anyPosition(inMemoryJournal, random);
        inMemoryJournal.events.remove((int) position - 1);
        return Expected.find(
            position <= inMemoryJournal.size()
                ? new VerificationFinding.Missing(position, position)
                : new VerificationFinding.Truncated(position - 1, position, "the right edge"));
      }
    },
    A_ROW_MOVED_AWAY {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long position = anyPosition(inMemoryJournal, random);
        long to =
            any(
                random,
                inMemoryJournal.size() + 1,
                inMemoryJournal.size() + 9,
                Long.MAX_VALUE,
                0L,
                -5L,
                Long.MIN_VALUE);
        inMemoryJournal.replace(position, entry -> EntryColumn.moved(entry, to));
        return position == inMemoryJournal.size()
            ? Expected.findKinds("surplus")
            : Expected.find(new VerificationFinding.Reordered(to, position));
      }
    },
    TWO_ROWS_SWAPPED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long[] two = twoPositions(inMemoryJournal, random);
        swap(inMemoryJournal, two, true);
        return swapped(two);
      }
    },
    TWO_ROWS_SWAPPED_WITHOUT_THEIR_LEAVES {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long[] two = twoPositions(inMemoryJournal, random);
        swap(inMemoryJournal, two, false);
        return swapped(two);
      }
    },
    TWO_ROWS_SWAPPED_WITH_NEW_LEAVES {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long[] two = twoPositions(inMemoryJournal, random);
        swap(inMemoryJournal, two, true);
        inMemoryJournal.events.replaceAll(inMemoryJournal::withLeaf);
        return two.length == 0
            ? Expected.NOTHING_TO_FIND
            : Expected.find(
                new VerificationFinding.EdgeMismatch(
                    inMemoryJournal.size(), "its hashes are not those of the rows"));
      }
    },
    TWO_ROWS_SWAPPED_WITH_ALL_BUT_CHECKPOINTS_RECOMPUTED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long[] two = twoPositions(inMemoryJournal, random);
        swap(inMemoryJournal, two, true);
        inMemoryJournal.recomputeAllButCheckpoints();
        if (two.length == 0) {
          return Expected.NOTHING_TO_FIND;
        }
        return two[0] <= inMemoryJournal.signedSize()
            ? Expected.findFirstChangeAt(two[0])
            : Expected.NOTHING_SIGNED_COVERS_IT;
      }
    },
    A_ROW_COPIED_TO_THE_END {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        return copied(inMemoryJournal, anyPosition(inMemoryJournal, random), random.nextBoolean());
      }
    },
    A_ROW_COPIED_OVER_ANOTHER {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long[] two = twoPositions(inMemoryJournal, random);
        if (two.length == 0) {
          return Expected.NOTHING_TO_FIND;
        }
        inMemoryJournal.replace(two[1], _ -> EntryColumn.moved(inMemoryJournal.at(two[0]), two[1]));
        if (random.nextBoolean()) {
          inMemoryJournal.recomputeAllButCheckpoints();
        }
        return Expected.find(
            new VerificationFinding.Duplicate(two[1], two[0], inMemoryJournal.at(two[0]).id()));
      }
    },
    THE_TAIL_CUT {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long size = inMemoryJournal.size();
        long left = cut(inMemoryJournal, random);
        return Expected.find(new VerificationFinding.Truncated(left, size, "the right edge"));
      }
    },
    THE_TAIL_CUT_WITH_ALL_BUT_CHECKPOINTS_RECOMPUTED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long left = cut(inMemoryJournal, random);
        inMemoryJournal.recomputeAllButCheckpoints();
        return left < inMemoryJournal.signedSize()
            ? Expected.find(
                new VerificationFinding.Truncated(
                    left, inMemoryJournal.signedSize(), "the newest checkpoint"))
            : Expected.NOTHING_SIGNED_COVERS_IT;
      }
    },
    EVERYTHING_REVERTED_TO_AN_OLD_CHECKPOINT {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        int kept = 1 + random.nextInt(inMemoryJournal.checkpoints.size());
        inMemoryJournal.checkpoints.subList(kept, inMemoryJournal.checkpoints.size()).clear();
        inMemoryJournal.file =
            Optional.of(inMemoryJournal.checkpoints.getLast().note().getBytes(UTF_8));
        inMemoryJournal
            .events
            .subList((int) inMemoryJournal.signedSize(), inMemoryJournal.events.size())
            .clear();
        inMemoryJournal.recomputeAllButCheckpoints();
        return Expected.NOTHING_SIGNED_COVERS_IT;
      }
    },
    THE_EDGE_ALTERED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        StoredEdge edge = inMemoryJournal.edge.orElseThrow();
        byte[] hashes = edge.hashes().clone();
        hashes[random.nextInt(hashes.length)] ^= (byte) (1 << random.nextInt(8));
        inMemoryJournal.edge = Optional.of(new StoredEdge(edge.size(), hashes));
        return Expected.find(
            new VerificationFinding.EdgeMismatch(
                edge.size(), "its hashes are not those of the rows"));
      }
    },
    THE_EDGE_WITH_ANOTHER_SIZE {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        StoredEdge edge = inMemoryJournal.edge.orElseThrow();
        long size = any(random, edge.size() + 1, edge.size() - 1, -1L, 0L, 1L << 62);
        inMemoryJournal.edge = Optional.of(new StoredEdge(size, edge.hashes()));
        return Expected.SOMETHING;
      }
    },
    THE_EDGE_REVERTED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long size = random.nextLong(inMemoryJournal.size());
        inMemoryJournal.edge =
            Optional.of(new StoredEdge(size, inMemoryJournal.tree(size).bytes()));
        return Expected.find(
            new VerificationFinding.Surplus(
                size + 1, inMemoryJournal.size(), inMemoryJournal.size() - size, size));
      }
    },
    THE_EDGE_DELETED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        inMemoryJournal.edge = Optional.empty();
        return Expected.find(
            new VerificationFinding.EdgeMismatch(inMemoryJournal.size(), "there is none"));
      }
    },
    A_CHECKPOINT_ALTERED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        int which = random.nextInt(inMemoryJournal.checkpoints.size());
        StoredCheckpoint row = inMemoryJournal.checkpoints.get(which);
        byte[] note = row.note().getBytes(UTF_8);
        note[random.nextInt(note.length)] ^= (byte) (1 << random.nextInt(8));
        inMemoryJournal.checkpoints.set(
            which,
            new StoredCheckpoint(row.number(), row.size(), new String(note, UTF_8), row.hashes()));
        return Expected.SOMETHING;
      }
    },
    THE_HASHES_OF_A_CHECKPOINT_ALTERED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        int which = random.nextInt(inMemoryJournal.checkpoints.size());
        StoredCheckpoint row = inMemoryJournal.checkpoints.get(which);
        byte[] hashes = Arrays.copyOf(row.hashes(), Math.max(1, row.hashes().length));
        hashes[random.nextInt(hashes.length)] ^= (byte) (1 << random.nextInt(8));
        inMemoryJournal.checkpoints.set(
            which, new StoredCheckpoint(row.number(), row.size(), row.note(), hashes));
        return Expected.find(
            new VerificationFinding.CheckpointUnusable(
                "checkpoint " + row.number() + " in the journal",
                row.size(),
                "its hashes are not those it was signed over"));
      }
    },
    A_CHECKPOINT_UNDER_ANOTHER_SIZE {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        int which = random.nextInt(inMemoryJournal.checkpoints.size());
        StoredCheckpoint row = inMemoryJournal.checkpoints.get(which);
        long size = row.size() + any(random, 1L, -1L, 1000L);
        inMemoryJournal.checkpoints.set(
            which, new StoredCheckpoint(row.number(), size, row.note(), row.hashes()));
        return Expected.find(
            new VerificationFinding.CheckpointUnusable(
                "checkpoint " + row.number() + " in the journal",
                size,
                "its row says %d events and its note %d".formatted(size, row.size())));
      }
    },
    A_CHECKPOINT_FORGED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        inMemoryJournal.replace(1, EntryColumn.PAYLOAD::changed);
        inMemoryJournal.recomputeAllButCheckpoints();
        CheckpointKey forger = InMemoryJournal.FOREIGN_KEY;
        byte[] note =
            new Checkpoint(
                    InMemoryJournal.TRUSTED.name(),
                    inMemoryJournal.size(),
                    inMemoryJournal.tree().root())
                .signedBy(forger);
        long number = inMemoryJournal.checkpoints.size() + 1L;
        inMemoryJournal.checkpoints.add(
            InMemoryJournal.stored(number, inMemoryJournal.tree(), note));
        return Expected.find(
            new VerificationFinding.KeyUnknown(
                "checkpoint " + number + " in the journal",
                inMemoryJournal.size(),
                List.of(forger.verifier().label())));
      }
    },
    A_CHECKPOINT_DELETED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        inMemoryJournal.checkpoints.remove(random.nextInt(inMemoryJournal.checkpoints.size()));
        return Expected.findKinds("checkpoint-missing");
      }
    },
    ALL_CHECKPOINTS_DELETED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        inMemoryJournal.checkpoints.clear();
        inMemoryJournal.file = Optional.empty();
        return Expected.findKinds("checkpoint-missing");
      }
    },
    THE_CHECKPOINT_FILE_ALTERED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        byte[] note = inMemoryJournal.file.orElseThrow().clone();
        note[random.nextInt(note.length)] ^= (byte) (1 << random.nextInt(8));
        inMemoryJournal.file = Optional.of(note);
        return Expected.SOMETHING;
      }
    },
    THE_CHECKPOINT_FILE_DELETED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        inMemoryJournal.file = Optional.empty();
        return inMemoryJournal.checkpoints.size() > 1
            ? Expected.find(
                new VerificationFinding.CheckpointMissing(
                    "the checkpoint file is gone", Long.MAX_VALUE))
            : Expected.NOTHING_TO_FIND; // the same state as after a crash before the first write
      }
    },
    THE_CHECKPOINT_FILE_OLDER {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        inMemoryJournal.file =
            Optional.of(
                any(random, inMemoryJournal.checkpoints.toArray(StoredCheckpoint[]::new))
                    .note()
                    .getBytes(UTF_8));
        return Expected.NOTHING_TO_FIND; // the same state as after a crash before the next write
      }
    },
    AN_INDEX_ROW_DELETED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        if (inMemoryJournal.index.isEmpty()) {
          return Expected.NOTHING_TO_FIND;
        }
        IndexedTag gone =
            inMemoryJournal.index.remove(random.nextInt(inMemoryJournal.index.size()));
        return Expected.find(
            new VerificationFinding.IndexMismatch(gone.first(), gone.tag(), false));
      }
    },
    AN_INDEX_ROW_ADDED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        long position =
            any(random, anyPosition(inMemoryJournal, random), 0L, -1L, inMemoryJournal.size() + 1);
        inMemoryJournal.index.add(new IndexedTag("call:new", position, position));
        return Expected.find(new VerificationFinding.IndexMismatch(position, "call:new", true));
      }
    },
    AN_INDEX_ROW_ALTERED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        if (inMemoryJournal.index.isEmpty()) {
          return Expected.NOTHING_TO_FIND;
        }
        int which = random.nextInt(inMemoryJournal.index.size());
        IndexedTag was = inMemoryJournal.index.get(which);
        inMemoryJournal.index.set(which, new IndexedTag(was.tag() + "x", was.first(), was.last()));
        return Expected.find(new VerificationFinding.IndexMismatch(was.first(), was.tag(), false));
      }
    },
    AN_INDEX_ROW_STRETCHED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        if (inMemoryJournal.index.isEmpty()) {
          return Expected.NOTHING_TO_FIND;
        }
        int which = random.nextInt(inMemoryJournal.index.size());
        IndexedTag was = inMemoryJournal.index.get(which);
        long last = any(random, was.last() + 1, was.last() + 1_000, Long.MAX_VALUE);
        inMemoryJournal.index.set(which, new IndexedTag(was.tag(), was.first(), last));
        return Expected.find(
            new VerificationFinding.IndexMismatch(was.last() + 1, was.tag(), true));
      }
    },
    AN_INDEX_ROW_SHORTENED {
      @Override
      Expected apply(InMemoryJournal inMemoryJournal, Random random) {
        if (inMemoryJournal.index.isEmpty()) {
          return Expected.NOTHING_TO_FIND;
        }
        int which = random.nextInt(inMemoryJournal.index.size());
        IndexedTag was = inMemoryJournal.index.get(which);
        inMemoryJournal.index.set(which, new IndexedTag(was.tag(), was.first(), was.first() - 1));
        return Expected.find(new VerificationFinding.IndexMismatch(was.first(), was.tag(), false));
      }
    };

    /** Applies the edit, and returns the expected result of the verification. */
    abstract Expected apply(InMemoryJournal inMemoryJournal, Random random);
  }

  @ParameterizedTest
  @EnumSource
  void anEditOfSignedRowsIsFound(Edit edit) {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(31L * round + edit.name().hashCode());
      InMemoryJournal inMemoryJournal = journal(round);

      Expected expected = edit.apply(inMemoryJournal, random);
      VerificationReport verificationReport = inMemoryJournal.verify();

      expected.check(verificationReport, edit + " in round " + round);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anExternalCheckpointFindsEveryEditOfRows(Edit edit) {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(31L * round + edit.name().hashCode());
      InMemoryJournal inMemoryJournal = journal(round);
      byte[] kept = InMemoryJournal.note(inMemoryJournal.tree(), InMemoryJournal.KEY);
      byte[] rootBefore = inMemoryJournal.tree().root();
      long sizeBefore = inMemoryJournal.size();

      edit.apply(inMemoryJournal, random);
      inMemoryJournal.recomputeAllButCheckpoints();
      VerificationReport verificationReport =
          inMemoryJournal.verify(new ExternalCheckpoint("safe", kept));

      boolean changed = !Arrays.equals(rootBefore, inMemoryJournal.tree(sizeBefore).root());
      assertThat(verificationReport.counts().getOrDefault("elsewhere-mismatch", 0L))
          .describedAs("%s in round %d", edit, round)
          .isEqualTo(changed ? 1 : 0);
    }
  }

  /** The same journal for every edit of a round, because signing takes most of the time. */
  private static InMemoryJournal journal(int round) {
    Random random = new Random(round);
    return InMemoryJournal.random(random, 1 + random.nextInt(60));
  }

  /** The expected result of a verification. */
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

  private static long anyPosition(InMemoryJournal inMemoryJournal, Random random) {
    return 1 + random.nextLong(inMemoryJournal.size());
  }

  private static long[] twoPositions(InMemoryJournal inMemoryJournal, Random random) {
    if (inMemoryJournal.size() < 2) {
      return new long[0];
    }
    return IntStream.generate(() -> (int) anyPosition(inMemoryJournal, random))
        .distinct()
        .limit(2)
        .sorted()
        .asLongStream()
        .toArray();
  }

  private static void swap(InMemoryJournal inMemoryJournal, long[] two, boolean withLeaves) {
    if (two.length == 2) {
      Entry a = inMemoryJournal.at(two[0]);
      Entry b = inMemoryJournal.at(two[1]);
      inMemoryJournal.replace(two[0], _ -> put(b, two[0], withLeaves ? b : a));
      inMemoryJournal.replace(two[1], _ -> put(a, two[1], withLeaves ? a : b));
    }
  }

  private static Entry put(Entry content, long position, Entry leafOf) {
    return EntryColumn.LEAF.set(EntryColumn.moved(content, position), leafOf.leaf());
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

  private static Expected copied(
      InMemoryJournal inMemoryJournal, long position, boolean recomputed) {
    long end = inMemoryJournal.size() + 1;
    inMemoryJournal.events.add(EntryColumn.moved(inMemoryJournal.at(position), end));
    if (recomputed) {
      inMemoryJournal.recomputeAllButCheckpoints();
    }
    return Expected.find(
        new VerificationFinding.Duplicate(end, position, inMemoryJournal.at(position).id()));
  }

  private static long cut(InMemoryJournal inMemoryJournal, Random random) {
    long left = random.nextLong(inMemoryJournal.size());
    inMemoryJournal.events.subList((int) left, inMemoryJournal.events.size()).clear();
    inMemoryJournal.index.removeIf(indexed -> indexed.first() > left);
    return left;
  }

  @SafeVarargs
  private static <T> T any(Random random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
