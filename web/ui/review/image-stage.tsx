import { useEffect, useRef, useState } from 'react';
import { Grounds, useGround } from './grounds.tsx';
import { Pins, pinsOf } from './pins.tsx';
import { OtherStage } from './other-stage.tsx';
import { useShown, useZoom } from './use-zoom.ts';
import { pictureUrl, type StageProps } from './view-file.ts';
import type { Size } from './zoom.ts';
import { ZoomBar } from './zoom-bar.tsx';

export function ImageStage({ file, comments, selected, onSelect, writing, onPlace, onDetail }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<Size | null>(null);
  const [isBroken, setBroken] = useState(false);
  const [ground, setGround] = useGround();
  const zoom = useZoom(stage, picture);
  const { view } = zoom;
  useShown(zoom.show, comments.find(({ id }) => id === selected)?.place?.box);
  const onLoad = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => {
    setPicture({ width, height });
    onDetail(`${width.toLocaleString()} × ${height.toLocaleString()}`);
  };
  const image = useRef<HTMLImageElement>(null);
  const load = useRef(onLoad);
  load.current = onLoad;
  const url = pictureUrl(file);
  useEffect(() => {
    // React drops events of elements that it has not shown yet.
    if (image.current?.complete && image.current.naturalWidth > 0) load.current(image.current);
  }, [url]);
  if (isBroken) return <OtherStage file={file} words="The picture could not be loaded." />;
  return (
    <div
      ref={stage}
      className={`stage ground-${ground}${zoom.space ? ' panning' : ''}${zoom.isFitted ? ' swipes' : ''}`}
      {...zoom.touch}
      data-testid="stage"
    >
      {url && (
        <div
          className="surface"
          style={
            view && picture
              ? {
                  width: picture.width * view.scale,
                  height: picture.height * view.scale,
                  transform: `translate(${view.x}px, ${view.y}px)`,
                }
              : { visibility: 'hidden' }
          }
        >
          <img
            ref={image}
            src={url}
            alt={file.file_name}
            draggable={false}
            onLoad={({ currentTarget }) => onLoad(currentTarget)}
            onError={() => setBroken(true)}
          />
          <Pins
            pins={pinsOf(comments, writing?.id)}
            selected={selected}
            onSelect={onSelect}
            draft={writing?.place?.box ? { number: writing.number, box: writing.place.box } : null}
            onPlace={onPlace && ((box) => onPlace({ box }))}
          />
        </div>
      )}
      <ZoomBar scale={view?.scale ?? null} onIn={zoom.zoomIn} onOut={zoom.zoomOut} onFit={zoom.fit}>
        <Grounds ground={ground} onChange={setGround} />
      </ZoomBar>
    </div>
  );
}
