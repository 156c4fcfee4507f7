// The health check of the image and of compose.yaml: 0 if the process beside it answers.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
