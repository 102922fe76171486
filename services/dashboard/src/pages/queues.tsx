/** The queue dashboard, which the reporter mounts beside this page. */
export function QueuesPage() {
  return (
    <div class="queues">
      <header class="page-head">
        <h1>Queues</h1>
        <div class="actions">
          <a class="button" href="queues" target="_blank" rel="noreferrer">
            Open alone
          </a>
        </div>
      </header>
      <iframe title="Queues of runs and workers" src="queues" />
    </div>
  )
}
