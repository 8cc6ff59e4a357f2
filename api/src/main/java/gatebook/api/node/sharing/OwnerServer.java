package gatebook.api.node.sharing;

import gatebook.api.data.OwnerAddress;
import gatebook.api.operator.TailAdmission;
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
public final class OwnerServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OwnerServer.class);
  private static final int WAITING_MAX = 64;

  private final Journal journal;
  private final OwnerOperatorRpc desk;
  private final Runnable onMemberEnded;
  private final ServerSocket door;
  private final OwnerAddress place;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> members = ConcurrentHashMap.newKeySet();

  private OwnerServer(
      Journal journal, OwnerOperatorRpc desk, Runnable onMemberEnded, ServerSocket door) {
    this.journal = journal;
    this.desk = desk;
    this.onMemberEnded = onMemberEnded;
    this.door = door;
    this.place = OwnerAddress.at(door.getLocalPort());
  }

  /**
   * Opens at any free port.
   *
   * @param onMemberEnded is told of each member whose process has ended
   */
  public static OwnerServer open(Journal journal, OwnerOperatorRpc desk, Runnable onMemberEnded)
      throws IOException {
    ServerSocket door = new ServerSocket(0, WAITING_MAX, InetAddress.getLoopbackAddress());
    OwnerServer opened = new OwnerServer(journal, desk, onMemberEnded, door);
    Thread.ofPlatform().daemon().name("owners-door").start(opened::accept);
    return opened;
  }

  /** Where members find it. */
  public OwnerAddress place() {
    return place;
  }

  @Override
  public void close() {
    closed(door);
    members.forEach(OwnerServer::closed);
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
      socket.setSoTimeout(MutualAuth.MILLIS_MAX);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      MemberProcess memberProcess = new MutualAuth(place, in, out).withMember();
      if (memberProcess != null) {
        socket.setSoTimeout(0);
        watch(memberProcess);
        try (Serving serving = new Serving(memberProcess, socket, in, out)) {
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
  private void watch(MemberProcess memberProcess) {
    if (!memberProcess.records()) {
      return;
    }
    LOG.atInfo().addKeyValue("node", memberProcess.node()).log("another process records here");
    if (memberProcess.pid() != ProcessHandle.current().pid()) {
      CompletableFuture<Void> _ = ended(memberProcess).thenRun(this::memberEnded);
    }
  }

  private static CompletableFuture<?> ended(MemberProcess memberProcess) {
    return ProcessHandle.of(memberProcess.pid())
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
    private final MemberProcess memberProcess;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();

    Serving(MemberProcess memberProcess, Socket socket, DataInputStream in, DataOutputStream out) {
      this.memberProcess = memberProcess;
      this.socket = socket;
      this.in = in;
      this.out = out;
    }

    void run() throws IOException {
      while (true) {
        WireFormat.Numbered<OwnerRequest> asked = WireFormat.asked(WireFormat.receive(in));
        if (asked.message() instanceof OwnerRequest.Follow follow) {
          CompletableFuture<Void> _ =
              CompletableFuture.runAsync(() -> follow(asked.number(), follow), threads)
                  .exceptionally(failure -> {
                    tell(asked.number(), failed(failure));
                    return null;
                  });
        } else {
          CompletableFuture<Void> _ =
              told(asked.message())
                  .exceptionally(OwnerServer::failed)
                  .thenAcceptAsync(ownerResponse -> tell(asked.number(), ownerResponse), threads);
        }
      }
    }

    private void follow(long number, OwnerRequest.Follow asked) {
      Optional<String> lastSeen = Optional.ofNullable(asked.lastSeen()).map(String::valueOf);
      switch (desk.follow(asked.token(), asked.query(), lastSeen, gone, () -> closed(socket))) {
        case TailAdmission.Refused(var why, var sentence) ->
            tell(number, new OwnerResponse.TurnedAway(why == TailAdmission.Why.NOT_NOW, sentence));
        case TailAdmission.Following(var events) ->
            events.subscribe(
                new TailForwarder(threads, ownerResponse -> tell(number, ownerResponse)));
      }
    }

    @Override
    public void close() {
      gone.complete(null);
    }

    private CompletableFuture<OwnerResponse> told(OwnerRequest ownerRequest) {
      return switch (ownerRequest) {
        case OwnerRequest.Head() ->
            CompletableFuture.completedFuture(new OwnerResponse.HeadIs(journal.head()));
        case OwnerRequest.Find(var criteria, long after, long upTo, int limit) ->
            elsewhere(_ -> new OwnerResponse.Found(journal.find(criteria, after, upTo, limit)));
        case OwnerRequest.Write(var conflictCondition, var drafts) ->
            journal
                .append(memberProcess.node(), conflictCondition, drafts)
                .thenApply(Serving::wrote);
        case OwnerRequest.Question(var token, var message) ->
            elsewhere(_ -> new OwnerResponse.Said(desk.answer(token, message).orElse(null)));
        case OwnerRequest.Follow _ -> throw new IllegalStateException("it is told many things");
      };
    }

    private static OwnerResponse wrote(Append append) {
      return append instanceof Append.Conflict
          ? new OwnerResponse.Contradicted()
          : new OwnerResponse.Wrote(append);
    }

    private CompletableFuture<OwnerResponse> elsewhere(
        Function<@Nullable Void, OwnerResponse> mayBlock) {
      return CompletableFuture.<@Nullable Void>completedFuture(null)
          .thenApplyAsync(mayBlock, threads);
    }

    private void tell(long number, OwnerResponse ownerResponse) {
      try {
        byte[] frame = WireFormat.told(number, ownerResponse);
        synchronized (out) {
          WireFormat.send(out, frame);
          out.flush();
        }
      } catch (IOException e) {
        LOG.atDebug().setCause(e).log("a member is gone before its answer");
      }
    }
  }

  private static OwnerResponse failed(Throwable failure) {
    LOG.error("what another process wanted of the journal failed", failure);
    return new OwnerResponse.Failed();
  }
}
