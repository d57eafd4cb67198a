"""RecTools' part of `judge_frames`, run by a Python of its own: a line in, the seconds of one calculation out.

Imports nothing of heldout. The argument is an .npz file with the columns of the frames.
"""

import json
import sys
import time

import numpy as np
import pandas as pd
import rectools
from rectools.metrics import MAP, MRR, NDCG, Precision, Recall, calc_metrics

columns = np.load(sys.argv[1])
interactions = pd.DataFrame({"user_id": columns["test_user"], "item_id": columns["test_item"]})
reco = pd.DataFrame({"user_id": columns["run_user"], "item_id": columns["run_item"], "rank": columns["run_rank"]})
metrics = {
    "P@10": Precision(k=10),
    "Recall@10": Recall(k=10),
    "nDCG@10": NDCG(k=10),
    "AP@100": MAP(k=100),
    "RR": MRR(k=100),
}
print(json.dumps({"version": rectools.__version__}), flush=True)
for _ in sys.stdin:
    begin = time.perf_counter()
    values = calc_metrics(metrics, reco=reco, interactions=interactions)
    seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "values": {k: float(v) for k, v in values.items()}}), flush=True)
