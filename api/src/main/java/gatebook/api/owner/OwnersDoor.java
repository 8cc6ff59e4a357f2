package gatebook.api.owner;

import gatebook.api.data.Rendezvous;
import gatebook.api.operator.Admission;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where other processes of this user, on this machine, have their events recorded: a port that only
 * this machine reaches, and only whoever knows the secret gets an answer from.
 */
public final class OwnersDoor implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OwnersDoor.class);
  private static final int WAITING_MAX = 64;

  private final Journal journal;
  private final OperatorsDesk desk;
  private final Runnable onMemberEnded;
  private final ServerSocket door;
  private final Rendezvous place;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> members = ConcurrentHashMap.newKeySet();

  private OwnersDoor(
      Journal journal, OperatorsDesk desk, Runnable onMemberEnded, ServerSocket door) {
    this.journal = journal;
    this.desk = desk;
    this.onMemberEnded = onMemberEnded;
    this.door = door;
    this.place = Rendezvous.at(door.getLocalPort());
  }

  /**
   * Opens at any free port.
   *
   * @param onMemberEnded is told of each member whose process has ended
   */
  public static OwnersDoor open(Journal journal, OperatorsDesk desk, Runnable onMemberEnded)
      throws IOException {
    ServerSocket door = new ServerSocket(0, WAITING_MAX, InetAddress.getLoopbackAddress());
    OwnersDoor opened = new OwnersDoor(journal, desk, onMemberEnded, door);
    Thread.ofPlatform().daemon().name("owners-door").start(opened::accept);
    return opened;
  }

  /** Where members find it. */
  public Rendezvous place() {
    return place;
  }

  @Override
  public void close() {
    closed(door);
    members.forEach(OwnersDoor::closed);
    threads.shutdown();
  }

  private void accept() {
    try {
      while (!door.isClosed()) {
        accepted(door.accept());
      }
    } catch (IOException e) {
      if (!door.isClosed()) {
        LOG.error("other processes can no longer record here", e);
      }
    }
  }

  private void accepted(Socket socket) throws IOException {
    try {
      threads.execute(() -> serve(socket));
    } catch (RejectedExecutionException _) {
      socket.close(); // the door was closed meanwhile
    }
  }

  private void serve(Socket socket) {
    members.add(socket);
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Meeting.MILLIS_MAX);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      Member member = new Meeting(place, in, out).withMember();
      if (member != null) {
        socket.setSoTimeout(0);
        watch(member);
        try (Serving serving = new Serving(member, socket, in, out)) {
          serving.run();
        }
      }
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("a member is gone");
    } catch (RuntimeException e) {
      LOG.error("a member cannot be served", e);
    } finally {
      members.remove(socket);
    }
  }

  /** What it leaves open is closed when it has ended, and not while it may still end it itself. */
  private void watch(Member member) {
    if (!member.records()) {
      return;
    }
    LOG.atInfo().addKeyValue("node", member.node()).log("another process records here");
    if (member.pid() != ProcessHandle.current().pid()) {
      CompletableFuture<Void> _ = ended(member).thenRun(this::memberEnded);
    }
  }

  private static CompletableFuture<?> ended(Member member) {
    return ProcessHandle.of(member.pid())
        .<CompletableFuture<?>>map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  private void memberEnded() {
    if (!door.isClosed()) {
      onMemberEnded.run();
    }
  }

  private static void closed(AutoCloseable any) {
    try {
      any.close();
    } catch (Exception e) {
      LOG.atDebug().setCause(e).log("closing a connection failed");
    }
  }

  /** One member, whose wishes are answered as they come true. */
  private final class Serving implements AutoCloseable {
    private final Member member;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();

    Serving(Member member, Socket socket, DataInputStream in, DataOutputStream out) {
      this.member = member;
      this.socket = socket;
      this.in = in;
      this.out = out;
    }

    void run() throws IOException {
      while (true) {
        Wire.Numbered<Asked> asked = Wire.asked(Wire.receive(in));
        if (asked.message() instanceof Asked.Follow follow) {
          CompletableFuture<Void> _ =
              CompletableFuture.runAsync(() -> follow(asked.number(), follow), threads)
                  .exceptionally(failure -> {
                    tell(asked.number(), failed(failure));
                    return null;
                  });
        } else {
          CompletableFuture<Void> _ =
              told(asked.message())
                  .exceptionally(OwnersDoor::failed)
                  .thenAcceptAsync(told -> tell(asked.number(), told), threads);
        }
      }
    }

    private void follow(long number, Asked.Follow asked) {
      Optional<String> lastSeen = Optional.ofNullable(asked.lastSeen()).map(String::valueOf);
      switch (desk.follow(asked.token(), asked.query(), lastSeen, gone, () -> closed(socket))) {
        case Admission.Refused(var why, var sentence) ->
            tell(number, new Told.TurnedAway(why == Admission.Why.NOT_NOW, sentence));
        case Admission.Following(var events) ->
            events.subscribe(new Hearing(threads, told -> tell(number, told)));
      }
    }

    @Override
    public void close() {
      gone.complete(null);
    }

    private CompletableFuture<Told> told(Asked asked) {
      return switch (asked) {
        case Asked.Head() -> CompletableFuture.completedFuture(new Told.HeadIs(journal.head()));
        case Asked.Find(var criteria, long after, long upTo, int limit) ->
            elsewhere(_ -> new Told.Found(journal.find(criteria, after, upTo, limit)));
        case Asked.Write(var condition, var drafts) ->
            journal.append(member.node(), condition, drafts).thenApply(Serving::wrote);
        case Asked.Question(var token, var message) ->
            elsewhere(_ -> new Told.Said(desk.answer(token, message).orElse(null)));
        case Asked.Follow _ -> throw new IllegalStateException("it is told many things");
      };
    }

    private static Told wrote(Append append) {
      return append instanceof Append.Conflict ? new Told.Contradicted() : new Told.Wrote(append);
    }

    private CompletableFuture<Told> elsewhere(Function<@Nullable Void, Told> mayBlock) {
      return CompletableFuture.<@Nullable Void>completedFuture(null)
          .thenApplyAsync(mayBlock, threads);
    }

    private void tell(long number, Told told) {
      try {
        byte[] frame = Wire.told(number, told);
        synchronized (out) {
          Wire.send(out, frame);
          out.flush();
        }
      } catch (IOException e) {
        LOG.atDebug().setCause(e).log("a member is gone before its answer");
      }
    }
  }

  private static Told failed(Throwable failure) {
    LOG.error("what another process wanted of the journal failed", failure);
    return new Told.Failed();
  }
}
